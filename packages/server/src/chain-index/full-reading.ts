/** A reading of all accounts by slices. It may take many steps of any process, and continues after a crash. */
import type { Service } from '../service.ts';
import { readChainTip } from './chain-tip.ts';
import { advance, columnsOf, isRead, type Place, type Position, readStart } from './position.ts';
import { changesOf, type Read, type Reading, readProgramSize, readSlice } from './reading.ts';
import { indexedRows, ofWallets, SLICES, type Slice } from './slices.ts';

/** Largest number of accounts that one request reads. With more, they are read in slices. */
const MANY = 2_000;

/** Returns whether the index has many accounts. */
export async function hasMany({ db }: Pick<Service, 'db'>): Promise<boolean> {
  const rows = db
    .selectFrom('indexed_account')
    .select('address')
    .limit(MANY + 1)
    .as('some');
  const { count } = await db
    .selectFrom(rows)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) > MANY;
}

/** Estimates from two slices whether the program has many accounts. Throws the RPC's errors. */
export async function programHasMany(service: Service, signal: AbortSignal): Promise<boolean> {
  const value = Math.floor(Math.random() * 256);
  const sizes = await Promise.all(
    (['credential', 'pass'] as const).map((kind) => readProgramSize(service, ofWallets(kind, value), signal)),
  );
  return Math.max(...sizes) * 256 > MANY;
}

/** The slot, time and newest settled signature of the chain when a full reading begins. */
export type Target = Required<Pick<Position, 'target_slot' | 'target_time' | 'target_signature'>>;

/** The columns of a position without a full reading. */
const NO_TARGET = { slices_left: 0, target_slot: null, target_time: null, target_signature: null };

/** Begins a full reading. Returns false if another process was faster. */
export function beginFullReading(
  service: Service,
  from: Position | undefined,
  target: Target,
): Promise<boolean> {
  return setTarget(service, from, { ...target, slices_left: SLICES.length });
}

/** Changes what a full reading still has to do. Returns false if another process was faster. */
function setTarget(
  { db, settings: { program } }: Service,
  from: Position | undefined,
  target: typeof NO_TARGET | (Target & { slices_left: number }),
): Promise<boolean> {
  const to = { ...columnsOf(from), ...target };
  const reading: Reading = { slot: to.read_slot, entries: [], gone: [] };
  return advance(db, { program, from, to, reading, recent: [] });
}

/** Milliseconds after which a step leaves the other slices to the next one. A step may take a minute. */
const STEP_MS = 20_000;

/** Reads the slices that are left, and writes some while it reads the next ones. The next step continues. */
export async function continueFullReading(service: Service, signal: AbortSignal): Promise<void> {
  const until = performance.now() + STEP_MS;
  const from = await readStart(service.db);
  if (!from || from.slices_left === 0) return;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for (let batch: Batch | null = await readBatch(service, from, either); batch; ) {
      const start: Position = { ...batch.from, ...batch.to };
      const next =
        start.slices_left > 0 && performance.now() < until ? readBatch(service, start, either) : null;
      next?.catch(() => undefined);
      // Another process reads the same slices. Leave them to it until the next step.
      if (!(await writeBatch(service, batch))) return;
      batch = await next;
    }
  } finally {
    ended.abort();
  }
}

/** Slices that were read, and are written in one transaction. */
interface Batch {
  readonly from: Position;
  readonly to: Place;
  readonly slices: readonly Slice[];
  readonly read: Read;
  /** The chain time in Unix seconds. */
  readonly now: bigint;
}

/** A batch of a first reading ends with the slice that brings it to one of these numbers. */
const BATCH = { slices: 16, accounts: MANY };

/** Reads the next slices. Throws the RPC's errors if it cannot read the first one. */
async function readBatch(service: Service, from: Position, signal: AbortSignal): Promise<Batch> {
  // Whether a closed pass had expired depends on the time of its slice. The target may be a minute older.
  const [first, { time: now }] = await Promise.all([
    readSliceAt(service, from, signal),
    readChainTip(service, signal),
  ]);
  let to = positionAfter(columnsOf(from), first.slot);
  const read = { slot: first.slot, entries: [...first.entries] };
  const slices = [sliceAt(from)];
  // A first reading has no events of closed passes.
  const most = isRead(from) ? 1 : BATCH.slices;
  while (to.slices_left > 0 && slices.length < most && read.entries.length < BATCH.accounts) {
    // Write what was read. The next batch begins with this slice, and throws the error.
    const next = await readSliceAt(service, { ...from, ...to }, signal).catch(() => null);
    if (!next) break;
    slices.push(sliceAt(to));
    read.entries.push(...next.entries);
    read.slot = next.slot;
    to = positionAfter(to, next.slot);
  }
  return { from, to, slices, read, now };
}

/** Writes what changed in slices. Returns false if another process was faster. */
async function writeBatch(service: Service, { from, to, slices, read, now }: Batch): Promise<boolean> {
  // Other processes that write rows also move the position.
  const reading = changesOf(read, await indexedRows(service.db, slices));
  const { program } = service.settings;
  const isTaken = await advance(service.db, { program, from, to, reading, recent: [], now });
  if (isTaken && to.slices_left === 0) {
    service.log.info({ slot: to.slot.toString(), slices: SLICES.length }, 'index read in full');
  }
  return isTaken;
}

/** Returns the position after a slice that was read at a slot. */
function positionAfter(from: Place, slot: bigint): Place {
  const next = { ...from, read_slot: slot, next_slice: sliceAfter(from) };
  return from.slices_left === 1 ? completed(next) : { ...next, slices_left: from.slices_left - 1 };
}

/** Returns the position after the last slice. Everything up to the target is read; later changes are listed again. */
function completed(position: Place): Place {
  const { target_slot: slot, target_time: time, target_signature: signature } = position;
  if (slot === null || time === null) throw new Error('A full reading has no target.');
  return { ...position, ...NO_TARGET, slot, time, signature, settled_slot: slot, reconciled_at: time };
}

/** Reads the slice whose turn it is. The slot is not older than what the index has. Throws the RPC's errors. */
export function readSliceAt(service: Service, from: Position, signal: AbortSignal): Promise<Read> {
  const minSlot = [from.read_slot, from.target_slot ?? from.slot].reduce((a, b) => (a > b ? a : b));
  return readSlice(service, sliceAt(from), { minSlot, signal });
}

type NextSlice = Pick<Position, 'next_slice'>;

/** Returns the slice whose turn it is. */
export function sliceAt({ next_slice }: NextSlice): Slice {
  return SLICES[next_slice % SLICES.length]!;
}

/** Returns the number of the slice after the one whose turn it is. */
export function sliceAfter({ next_slice }: NextSlice): number {
  return (next_slice + 1) % SLICES.length;
}

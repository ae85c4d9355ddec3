/**
 * A reading of all accounts: at once if there are few, else slice by slice. The slices may take many steps of any process, and
 * continue after a crash.
 */
import type { Signature } from '@solana/kit';
import { type ChainTip, readChainTip } from '../chain-head/index.ts';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { advance, columnsOf, latest, type Place, type Position, readStart } from './position.ts';
import { changesOf, readSlice, readSliceSize } from './reading.ts';
import { ALL, indexedRows, ofWallets, SLICES, type Slice } from './slices.ts';

/** Largest number of accounts that one request reads. With more, they are read in slices. */
const MANY = 2_000;

/** Returns whether the index has many accounts. */
export async function hasMany({ db }: Pick<Service, 'db'>): Promise<boolean> {
  const oneMore = db.selectFrom('indexed_account').select('address').offset(MANY).limit(1);
  return (await oneMore.executeTakeFirst()) !== undefined;
}

/** Estimates from two slices whether the program has many accounts. Throws the RPC's errors. */
export async function programHasMany(service: Service, signal: AbortSignal): Promise<boolean> {
  const value = Math.floor(Math.random() * 256);
  const sizes = await Promise.all(
    (['credential', 'pass'] as const).map((kind) => readSliceSize(service, ofWallets(kind, value), signal)),
  );
  return Math.max(...sizes) * 256 > MANY;
}

interface FullReading {
  readonly from: Position | undefined;
  /** The tip when the reading begins. */
  readonly tip: ChainTip;
  /** The newest signature up to the tip. */
  readonly signature: Signature | null;
  readonly isLarge: boolean;
}

/** Begins a full reading, and reads as much as one step can. Leaves it to another process that was faster. */
export async function readAll(
  service: Service,
  { from, tip, signature, isLarge }: FullReading,
  signal: AbortSignal,
): Promise<void> {
  const target = { target_slot: tip.slot, target_time: tip.time, target_signature: signature };
  const start = { ...columnsOf(from), ...target, slices_left: isLarge ? SLICES.length : 1 };
  if (!isLarge) {
    await takeSlices(service, { from, start, only: ALL, now: tip.time }, signal);
    return;
  }
  const { db, settings } = service;
  const nothing = { slot: start.read_slot, entries: [], gone: [] };
  const isBegun = await advance(db, { settings, from, to: start, reading: nothing, recent: [] });
  if (isBegun) await continueFullReading(service, signal);
}

/** Milliseconds after which a step leaves the other slices to the next one. A step may take a minute. */
const STEP_MS = 20_000;

/** Reads the slices that are left. The next step continues. */
export async function continueFullReading(service: Service, signal: AbortSignal): Promise<void> {
  const until = performance.now() + STEP_MS;
  let from = await readStart(service.db);
  while (from && from.slices_left > 0 && performance.now() < until) {
    const to = await readNextSlices(service, from, signal);
    // Another process reads the same slices. Leave them to it until the next step.
    if (!to) return;
    from = { ...from, ...to };
  }
}

/** Reads the slices whose turn it is: one, or some of a full reading. Returns null if another process was faster. */
export async function readNextSlices(
  service: Service,
  from: Position,
  signal: AbortSignal,
): Promise<Place | null> {
  // Whether a closed pass had expired depends on the time of its slice. The target may be a minute older.
  const { time: now } = await readChainTip(service, signal);
  return takeSlices(service, { from, start: columnsOf(from), now }, signal);
}

/** A transaction ends with the slice that brings it to one of these numbers. */
const BATCH = { slices: 16, accounts: MANY };

interface Batch {
  readonly from: Position | undefined;
  /** What `from` becomes before the first slice is read. */
  readonly start: Place;
  /** The only slice. @default those whose turn it is */
  readonly only?: Slice;
  /** The chain time in Unix seconds. */
  readonly now: bigint;
}

/** Reads slices and writes what changed in them. Throws the RPC's errors. */
async function takeSlices(
  service: Service,
  { from, start, only, now }: Batch,
  signal: AbortSignal,
): Promise<Place | null> {
  const { db, log, settings } = service;
  let entries: IndexedAccountTable[] = [];
  const slices: Slice[] = [];
  let to = start;
  do {
    const slice = only ?? SLICES[to.next_slice]!;
    // The slot is not older than what the index has.
    const minSlot = latest(to.read_slot, to.target_slot, to.slot);
    const read = await readSlice(service, slice, { minSlot, signal });
    entries = entries.concat(read.entries);
    slices.push(slice);
    to = placeAfter(to, read.slot);
  } while (to.slices_left > 0 && slices.length < BATCH.slices && entries.length < BATCH.accounts);
  // Other processes that write rows also move the position.
  const reading = changesOf({ slot: to.read_slot, entries }, await indexedRows(db, slices));
  const isTaken = await advance(db, { settings, from, to, reading, recent: [], now });
  if (isTaken && start.slices_left > 0 && to.slices_left === 0)
    log.info({ slot: to.slot.toString() }, 'index read in full');
  return isTaken ? to : null;
}

function placeAfter(start: Place, slot: bigint): Place {
  const { slices_left, target_slot, target_time, target_signature } = start;
  const next = { ...start, read_slot: slot, next_slice: (start.next_slice + 1) % SLICES.length };
  if (slices_left !== 1) return { ...next, slices_left: Math.max(slices_left - 1, 0) };
  if (target_slot === null || target_time === null) throw new Error('A full reading has no target.');
  // Everything up to the target is read; later changes are listed again.
  const place = { slot: target_slot, time: target_time, signature: target_signature };
  return { ...next, ...NO_TARGET, ...place, settled_slot: target_slot, reconciled_at: target_time };
}

/** The columns of a position without a full reading. */
const NO_TARGET = { slices_left: 0, target_slot: null, target_time: null, target_signature: null };

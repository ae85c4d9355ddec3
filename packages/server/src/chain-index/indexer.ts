/** One step of the indexer: reads the chain tip and the accounts that changed, and writes them to the index. */
import type { Signature } from '@solana/kit';
import { recordEndedPasses } from '../events/ended-passes.ts';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { type ChainTip, readChainTip } from './chain-tip.ts';
import { type Changes, readChanges, VOLUMES } from './changes.ts';
import {
  beginFullReading,
  continueFullReading,
  hasMany,
  programHasMany,
  readSliceAt,
  sliceAfter,
  sliceAt,
  type Target,
} from './full-reading.ts';
import { type Advance, advance, columnsOf, type Position, readRecent, readStart } from './position.ts';
import { changesOf, type Reading, readAll, readSome } from './reading.ts';
import { indexedRows } from './slices.ts';

/** Chain seconds after which all accounts are read again, because an RPC node may lose a transaction. */
const RECONCILE_AFTER_SECONDS = 300n;

/**
 * Finalized slots whose signatures are listed again. A node may list a transaction after it shows its effects, and after a
 * transaction of a later slot. Within these slots, only a listed signature counts as indexed.
 */
const RELISTED_SLOTS = 64n;
/** Signatures that are listed again at most: the newest ones. */
const MAX_RELISTED = 256;

/** Starts the indexer, which keeps every account of the program at finalized in the database (SPEC.md section 1). */
export function startIndexer(service: Service): Background {
  return startBackground(service, { name: 'indexer', step: (signal) => indexStep(service, signal) });
}

/** Updates the index to the chain's current finalized slot. Throws the errors of the RPC or the database. */
async function indexStep(service: Service, signal: AbortSignal): Promise<void> {
  const from = await readStart(service.db);
  if (from && from.ending_after !== null)
    await tryTo(service, 'recording ended passes', () => recordEndedPasses(service, signal));
  if (from && from.slices_left > 0) return continueFullReading(service, signal);
  // Read the tip first: later reads are not older, so the position covers only data that was read.
  const tip = await readChainTip(service, signal);
  if (from && tip.slot <= from.slot) return;
  const isLarge = from ? await hasMany(service) : await programHasMany(service, signal);
  try {
    await readChanged(service, { from, tip, isLarge }, signal);
  } catch (error) {
    if (!isLarge || !from || tip.time - from.time < RECONCILE_AFTER_SECONDS || signal.aborted) throw error;
    // Anyone can send transactions. Changes that cannot be read or written must not stop the index for ever.
    service.outages.failed('indexing changes', error);
    await beginFullReading(service, from, targetOf(tip, null));
  }
}

interface Start {
  readonly from: Position | undefined;
  readonly tip: ChainTip;
  readonly isLarge: boolean;
}

/** Reads what changed, or all accounts if the changes are not known. */
async function readChanged(
  service: Service,
  { from, tip, isLarge }: Start,
  signal: AbortSignal,
): Promise<void> {
  const since = {
    signature: from?.signature ?? null,
    settledSlot: from?.settled_slot ?? -1n,
    recent: await readRecent(service.db),
    time: from?.time ?? 0n,
  };
  const volume = isLarge ? (from ? VOLUMES.large : VOLUMES.none) : VOLUMES.small;
  const changes = await readChanges(service, { since, tip, volume, signal });
  if (isLarge && (!from || !changes.addresses)) {
    const { listed, isStartLost } = changes;
    const settled = listed.find(({ slot }) => slot <= tip.slot)?.signature;
    await beginFullReading(service, from, targetOf(tip, settled ?? (isStartLost ? null : since.signature)));
    return continueFullReading(service, signal);
  }
  await readOnce(service, { from, tip, changes, isLarge, since: since.signature }, signal);
  service.outages.worked('indexing changes');
}

function targetOf({ slot, time }: ChainTip, signature: Signature | null): Target {
  return { target_slot: slot, target_time: time, target_signature: signature };
}

interface Step extends Start {
  readonly changes: Changes;
  /** The signature after which changes were listed. */
  readonly since: Signature | null;
}

/** Reads what changed, or all accounts if there are few, and moves the position. */
async function readOnce(service: Service, step: Step, signal: AbortSignal): Promise<void> {
  const found = await readAccounts(service, step, signal);
  const { program } = service.settings;
  const { from, tip } = step;
  const { reading } = found;
  const isTaken = await advance(service.db, {
    program,
    from,
    reading,
    ...placeAfter(step, found),
    now: tip.time,
  });
  if (isTaken && found.isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
}

/** The accounts that a step read. */
interface FoundAccounts {
  readonly reading: Reading;
  /** Whether all accounts were read at once. */
  readonly isFull: boolean;
  /** Whether a slice of them was read again. */
  readonly hasSlice: boolean;
}

async function readAccounts(
  service: Service,
  { from, tip, changes: { listed, addresses }, isLarge }: Step,
  signal: AbortSignal,
): Promise<FoundAccounts> {
  const options = { minSlot: latest(tip.slot, listed[0]?.slot, from?.read_slot), signal };
  const isDue = from && !isLarge && tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  if (!from || !addresses || isDue) {
    return { reading: await readAll(service, options), isFull: true, hasSlice: false };
  }
  const changed = await readSome(service, addresses, options);
  // Many accounts are read again slice by slice, one in each step.
  const slice = isLarge ? await readNextSlice(service, { ...from, read_slot: changed.slot }, signal) : null;
  return { reading: slice ? joined(changed, slice) : changed, isFull: false, hasSlice: slice !== null };
}

/** Returns what changed in the slice whose turn it is, or null if it cannot be read. */
function readNextSlice(service: Service, from: Position, signal: AbortSignal): Promise<Reading | null> {
  return tryTo(service, 'reading a slice of the accounts', async () =>
    changesOf(await readSliceAt(service, from, signal), await indexedRows(service.db, [sliceAt(from)])),
  );
}

/** Returns the position after a step, and the signatures after its settled slot. */
function placeAfter(
  { from, tip, changes: { listed, isStartLost, upTo }, since }: Step,
  { reading, isFull, hasSlice }: FoundAccounts,
): Pick<Advance, 'to' | 'recent'> {
  const start = columnsOf(from);
  const succeeded = listed.filter(({ err }) => err === null);
  // A full reading also contains changes that were not listed.
  const settledSlot = isFull
    ? tip.slot
    : latest(start.settled_slot, upTo.slot - RELISTED_SLOTS, succeeded[MAX_RELISTED]?.slot);
  const to = {
    ...start,
    slot: latest(upTo.slot, start.slot),
    time: latest(upTo.time, start.time),
    read_slot: reading.slot,
    signature: listed.find(({ slot }) => slot <= settledSlot)?.signature ?? (isStartLost ? null : since),
    settled_slot: settledSlot,
    reconciled_at: isFull ? tip.time : start.reconciled_at,
    next_slice: hasSlice ? sliceAfter(start) : start.next_slice,
  };
  return { to, recent: succeeded.filter(({ slot }) => slot > settledSlot) };
}

/** Runs work that must not delay the changes. Returns null if it fails. */
async function tryTo<T>(service: Service, work: string, run: () => Promise<T>): Promise<T | null> {
  try {
    const value = await run();
    service.outages.worked(work);
    return value;
  } catch (error) {
    service.outages.failed(work, error);
    return null;
  }
}

/** Joins two readings of some accounts. The later one replaces the accounts that both have. */
function joined(earlier: Reading, later: Reading): Reading {
  const goneOf = ({ gone }: Reading) => (gone === 'all others' ? [] : gone);
  const isRead = new Set([...later.entries.map(({ address }) => address), ...goneOf(later)]);
  return {
    slot: latest(earlier.slot, later.slot),
    entries: [...earlier.entries.filter(({ address }) => !isRead.has(address)), ...later.entries],
    gone: [...goneOf(earlier).filter((address) => !isRead.has(address)), ...goneOf(later)],
  };
}

/** Returns the highest slot, or the latest time. */
function latest(slot: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((most, other) => (other !== undefined && other > most ? other : most), slot);
}

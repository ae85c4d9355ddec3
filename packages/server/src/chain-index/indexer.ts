/** One step of the indexer: reads the chain tip and the accounts that changed, and writes them to the index. */
import type { Signature } from '@solana/kit';
import { recordEndedPasses } from '../events/ended-passes.ts';
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
import { advance, columnsOf, type Position, readRecent, readStart } from './position.ts';
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

/** Updates the index to the chain's current finalized slot. Throws the errors of the RPC or the database. */
export async function indexStep(service: Service, signal: AbortSignal): Promise<void> {
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
async function readOnce(
  service: Service,
  { from, tip, changes, isLarge, since }: Step,
  signal: AbortSignal,
): Promise<void> {
  const { listed, isStartLost, addresses, upTo } = changes;
  const succeeded = listed.filter(({ err }) => err === null);
  const minSlot = latest(tip.slot, listed[0]?.slot, from?.read_slot);
  const isDue = !isLarge && from && tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  const isFull = !from || !addresses || isDue;
  const changed = isFull
    ? await readAll(service, { minSlot, signal })
    : await readSome(service, addresses, { minSlot, signal });
  // Many accounts are read again slice by slice, one in each step.
  const isSliced = isLarge && !isFull;
  const slice =
    isSliced &&
    (await tryTo(service, 'reading a slice of the accounts', async () =>
      changesOf(
        await readSliceAt(service, { ...from, read_slot: changed.slot }, signal),
        await indexedRows(service.db, [sliceAt(from)]),
      ),
    ));
  const reading = slice ? joined(changed, slice) : changed;
  // A full reading also contains changes that were not listed.
  const settledSlot = isFull
    ? tip.slot
    : latest(from.settled_slot, upTo.slot - RELISTED_SLOTS, succeeded[MAX_RELISTED]?.slot);
  const to = {
    ...columnsOf(from),
    slot: latest(upTo.slot, from?.slot),
    time: latest(upTo.time, from?.time),
    read_slot: reading.slot,
    signature: listed.find(({ slot }) => slot <= settledSlot)?.signature ?? (isStartLost ? null : since),
    settled_slot: settledSlot,
    reconciled_at: isFull ? tip.time : from.reconciled_at,
    ...(from && slice ? { next_slice: sliceAfter(from) } : {}),
  };
  const recent = succeeded.filter(({ slot }) => slot > settledSlot);
  const isTaken = await advance(service.db, {
    program: service.settings.program,
    from,
    to,
    reading,
    recent,
    now: tip.time,
  });
  if (isTaken && isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
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

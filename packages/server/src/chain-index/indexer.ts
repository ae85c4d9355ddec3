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
} from './full-reading.ts';
import { advance, columnsOf, type Position, readRecent, readStart } from './position.ts';
import { type Reading, readAll, readSome } from './reading.ts';

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
  if (from && from.ending_after !== null) await recordEndedPasses(service, signal);
  if (from && from.slices_left > 0) return continueFullReading(service, signal);
  // Read the tip first: later reads are not older, so the position covers only data that was read.
  const tip = await readChainTip(service, signal);
  if (from && tip.slot <= from.slot) return;
  const isLarge = from ? await hasMany(service) : await programHasMany(service, signal);
  const since = {
    signature: from?.signature ?? null,
    settledSlot: from?.settled_slot ?? -1n,
    recent: await readRecent(service.db),
    time: from?.time ?? 0n,
  };
  const volume = isLarge ? VOLUMES.large : VOLUMES.small;
  const changes = await readChanges(service, { since, tip, volume, signal });
  if (isLarge && (!from || !changes.addresses)) {
    const { listed, isStartLost } = changes;
    const settled = listed.find(({ slot }) => slot <= tip.slot)?.signature;
    const signature = settled ?? (isStartLost ? null : since.signature);
    await beginFullReading(service, from, {
      target_slot: tip.slot,
      target_time: tip.time,
      target_signature: signature,
    });
    return continueFullReading(service, signal);
  }
  await readOnce(service, { from, tip, changes, isLarge, since: since.signature }, signal);
}

interface Step {
  readonly from: Position | undefined;
  readonly tip: ChainTip;
  readonly changes: Changes;
  readonly isLarge: boolean;
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
  const minSlot = latest(tip.slot, listed[0]?.slot, from?.read_slot);
  const isDue = !isLarge && from && tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  const isFull = !from || !addresses || isDue;
  const changed = isFull
    ? await readAll(service, { minSlot, signal })
    : await readSome(service, addresses, { minSlot, signal });
  // Many accounts are read again slice by slice, one in each step.
  const isSliced = isLarge && !isFull;
  const slice = isSliced ? await tryReadSlice(service, { ...from, read_slot: changed.slot }, signal) : null;
  const reading = slice ? joined(changed, slice) : changed;
  // A full reading also contains changes that were not listed.
  const settledSlot = isFull
    ? tip.slot
    : latest(from.settled_slot, upTo.slot - RELISTED_SLOTS, listed[MAX_RELISTED]?.slot);
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
  const recent = listed.filter(({ slot, err }) => err === null && slot > settledSlot);
  const isTaken = await advance(service.db, { program: service.settings.program, from, to, reading, recent });
  if (isTaken && isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
}

/** Reads a slice, or returns null: the comparison with the chain must not delay the changes. */
async function tryReadSlice(service: Service, from: Position, signal: AbortSignal): Promise<Reading | null> {
  const work = 'reading a slice of the accounts';
  try {
    const reading = await readSliceAt(service, from, signal);
    service.outages.worked(work);
    return reading;
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

/** One step of the indexer: reads the chain tip and the accounts that changed, and writes them to the index. */
import type { Signature } from '@solana/kit';
import { type ChainTip, readChainTip } from '../chain-head/index.ts';
import { recordEndedPasses } from '../events/ended-passes.ts';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { type Changes, readChanges, VOLUMES } from './changes.ts';
import { continueFullReading, hasMany, programHasMany, readAll, readNextSlices } from './full-reading.ts';
import {
  type Advance,
  advance,
  columnsOf,
  latest,
  type Place,
  type Position,
  readRecent,
  readStart,
} from './position.ts';
import { readSome } from './reading.ts';

/** Chain seconds after which few accounts are all read again, because an RPC node may lose a transaction. */
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
    await readAll(service, { from, tip, signature: null, isLarge }, signal);
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
  const since = columnsOf(from);
  const recent = await readRecent(service.db);
  const isDue = !from || (!isLarge && tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS);
  const volume = isDue ? VOLUMES.none : isLarge ? VOLUMES.large : VOLUMES.small;
  const changes = await readChanges(service, { since, recent, tip, volume, signal });
  const { listed, addresses } = changes;
  if (isDue || !addresses) {
    const signature = newestUpTo(tip.slot, changes, since.signature);
    return readAll(service, { from, tip, signature, isLarge }, signal);
  }
  const minSlot = latest(tip.slot, listed[0]?.slot, from.read_slot);
  const reading = await readSome(service, addresses, { minSlot, signal });
  const { db, settings } = service;
  const moved = placeAfter(since, changes, reading.slot);
  const isTaken = await advance(db, { settings, from, reading, ...moved, now: tip.time });
  service.outages.worked('indexing changes');
  if (!isTaken || !isLarge) return;
  // Many accounts are read again slice by slice, one in each step.
  const next = { ...from, ...moved.to };
  await tryTo(service, 'reading a slice of the accounts', () => readNextSlices(service, next, signal));
}

/** Returns the signature after which the next listing begins. */
function newestUpTo(
  slot: bigint,
  { listed, isStartLost }: Changes,
  before: Signature | null,
): Signature | null {
  return listed.find((each) => each.slot <= slot)?.signature ?? (isStartLost ? null : before);
}

/** Returns the position after changes, and the signatures after its settled slot. */
function placeAfter(start: Place, changes: Changes, readSlot: bigint): Pick<Advance, 'to' | 'recent'> {
  const { listed, upTo } = changes;
  const succeeded = listed.filter(({ err }) => err === null);
  const settledSlot = latest(start.settled_slot, upTo.slot - RELISTED_SLOTS, succeeded[MAX_RELISTED]?.slot);
  const to = {
    ...start,
    slot: latest(upTo.slot, start.slot),
    time: latest(upTo.time, start.time),
    read_slot: readSlot,
    signature: newestUpTo(settledSlot, changes, start.signature),
    settled_slot: settledSlot,
  };
  return { to, recent: succeeded.filter(({ slot }) => slot > settledSlot) };
}

/** Runs work that must not delay the changes. A failure is only logged. */
async function tryTo(service: Service, work: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
    service.outages.worked(work);
  } catch (error) {
    service.outages.failed(work, error);
  }
}

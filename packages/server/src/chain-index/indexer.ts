/** One step of the indexer: reads the chain tip and the accounts that changed, and writes them to the index. */
import type { Service } from '../service.ts';
import { readChainTip } from './chain-tip.ts';
import { readChanges } from './changes.ts';
import { advance, readPosition, readRecent } from './position.ts';
import { readAll, readSome } from './reading.ts';

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
  const from = await readPosition(service.db);
  // Read the tip first: later reads are not older, so the position covers only data that was read.
  const tip = await readChainTip(service, signal);
  if (from && tip.slot <= from.slot) return;
  const since = {
    signature: from?.signature ?? null,
    settledSlot: from?.settled_slot ?? -1n,
    recent: await readRecent(service.db),
  };
  const { listed, isStartLost, addresses } = await readChanges(service, { since, upTo: tip.slot, signal });
  const minSlot = latest(tip.slot, listed[0]?.slot, from?.read_slot);
  const isFull = !from || !addresses || tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  const reading = isFull
    ? await readAll(service, { minSlot, signal })
    : await readSome(service, addresses, { minSlot, signal });
  // A full reading also contains changes that were not listed.
  const settledSlot = isFull
    ? tip.slot
    : latest(from.settled_slot, tip.slot - RELISTED_SLOTS, listed[MAX_RELISTED]?.slot);
  const to = {
    slot: tip.slot,
    time: tip.time,
    read_slot: reading.slot,
    signature:
      listed.find(({ slot }) => slot <= settledSlot)?.signature ?? (isStartLost ? null : since.signature),
    settled_slot: settledSlot,
    reconciled_at: isFull ? tip.time : from.reconciled_at,
  };
  const recent = listed.filter(({ slot }) => slot > settledSlot);
  const isTaken = await advance(service.db, { program: service.settings.program, from, to, reading, recent });
  if (isTaken && isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
}

function latest(slot: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((most, other) => (other !== undefined && other > most ? other : most), slot);
}

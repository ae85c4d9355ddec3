/** One step of the indexer: look how far the chain is, read what changed, take it in. */
import type { Service } from '../service.ts';
import { readChainTip } from './chain-tip.ts';
import { readChanges } from './changes.ts';
import { advance, readPosition, readRecent } from './position.ts';
import { readAll, readSome } from './reading.ts';

/** Chain seconds after which everything is read again although nothing asks for it: an RPC node may lose a transaction. */
const RECONCILE_AFTER_SECONDS = 300n;

/**
 * Finalized slots for which signatures are listed again: a node may list a transaction a little after it shows its
 * effects, and after one of a later slot, from which on nothing would ask for it any more. Until then only a signature that
 * was listed is said to be in the index.
 */
const RELISTED_SLOTS = 64n;
/** Signatures that are listed again: past this, only the newest. */
const MAX_RELISTED = 256;

/** Brings the index up to the chain's finalized slot as it is now. Throws what the RPC or the database throws. */
export async function indexStep(service: Service, signal: AbortSignal): Promise<void> {
  const from = await readPosition(service.db);
  // The tip comes first: what is read afterwards is no older, so the position claims nothing that was not read.
  const tip = await readChainTip(service, signal);
  if (from && tip.slot <= from.slot) return;
  const since = {
    signature: from?.signature ?? null,
    settledSlot: from?.settled_slot ?? -1n,
    recent: await readRecent(service.db),
  };
  const { listed, addresses } = await readChanges(service, { since, upTo: tip.slot, signal });
  const minSlot = latest(tip.slot, listed[0]?.slot, from?.read_slot);
  const isFull = !from || !addresses || tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  const reading = isFull
    ? await readAll(service, { minSlot, signal })
    : await readSome(service, addresses, { minSlot, signal });
  // A full reading has what was not listed, too.
  const settledSlot = isFull
    ? tip.slot
    : latest(from.settled_slot, tip.slot - RELISTED_SLOTS, listed[MAX_RELISTED]?.slot);
  const to = {
    slot: tip.slot,
    time: tip.time,
    read_slot: reading.slot,
    signature: listed.find(({ slot }) => slot <= settledSlot)?.signature ?? since.signature,
    settled_slot: settledSlot,
    reconciled_at: isFull ? tip.time : from.reconciled_at,
  };
  const recent = listed.filter(({ slot }) => slot > settledSlot);
  const isTaken = await advance(service.db, { from, to, reading, recent });
  if (isTaken && isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
}

function latest(slot: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((most, other) => (other !== undefined && other > most ? other : most), slot);
}

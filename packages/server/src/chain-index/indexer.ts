/** One step of the indexer: look how far the chain is, read what changed, take it in. */
import type { Signature } from '@solana/kit';
import type { Service } from '../service.ts';
import { readChainTip } from './chain-tip.ts';
import { readChanges } from './changes.ts';
import { advance, type Position, readPosition } from './position.ts';
import { type Reading, readAll, readSome } from './reading.ts';

/**
 * Chain seconds after which everything is read again although nothing asks for it: an RPC node lists a transaction a
 * little after it shows its effects, and may lose one.
 */
const RECONCILE_AFTER_SECONDS = 300n;

/** Brings the index up to the chain's finalized slot as it is now. Throws what the RPC or the database throws. */
export async function indexStep(service: Service, signal: AbortSignal): Promise<void> {
  const from = await readPosition(service.db);
  // The tip comes first: what is read afterwards is no older, so the position claims nothing that was not read.
  const tip = await readChainTip(service, signal);
  if (from && tip.slot <= from.slot) return;
  const changes = await readChanges(service, { since: from?.signature ?? null, signal });
  const minSlot = [tip.slot, changes.slot, from?.read_slot ?? 0n].reduce((a, b) => (a > b ? a : b));
  const isFull = !from || !changes.addresses || tip.time - from.reconciled_at >= RECONCILE_AFTER_SECONDS;
  const reading = isFull
    ? await readAll(service, { minSlot, signal })
    : await readSome(service, changes.addresses, { minSlot, signal });
  const to = positionAfter({ tip, reading, signature: changes.signature, isFull, from });
  const isTaken = await advance(service.db, { from, to, reading });
  if (isTaken && isFull) {
    service.log.info({ slot: tip.slot.toString(), accounts: reading.entries.length }, 'index read in full');
  }
}

function positionAfter(options: {
  tip: { slot: bigint; time: bigint };
  reading: Reading;
  signature: Signature | null;
  isFull: boolean;
  from: Position | undefined;
}): Omit<Position, 'id'> {
  const { tip, reading, isFull, from } = options;
  return {
    slot: tip.slot,
    time: tip.time,
    read_slot: reading.slot,
    signature: options.signature,
    reconciled_at: isFull || !from ? tip.time : from.reconciled_at,
  };
}

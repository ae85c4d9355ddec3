/** The proof, from the answers of one RPC, that a signed transaction did not land and can no longer land. */
import type { Address, Signature } from '@solana/kit';
import { type CallHistory, readFinalizedTip } from './finalized-reads.ts';
import { findByMemo, type Namesake } from './find-by-memo.ts';
import { type HistoryStart, type KnownStatus, reachesBackTo, readStatus } from './history-reads.ts';

/** Milliseconds between the two proofs, by the same RPC, that make an absence certain. */
export const ABSENCE_GAP_MS = 5_000;

/** A signed transaction that is not known to have landed. */
export interface MissingTransaction {
  readonly operationId: string;
  /** The wallets that may have signed it; none if another transaction with the memo has landed: it says nothing then. */
  readonly wallets: readonly Address[];
  /** Base58; undefined if it is not known. */
  readonly signature: Signature | undefined;
  /** Returns a moment before the signature existed, from the newest finalized slot. */
  readonly since: (newest: bigint) => HistoryStart | Promise<HistoryStart>;
  /** A height after which the transaction's blockhash has certainly expired. */
  readonly lastValidBlockHeight: bigint;
  /** See {@link HistoryWindow}. */
  readonly others?: Set<string>;
}

/** The result of one look for an absence. */
export type Absence =
  /** The transaction can still land. */
  | { readonly verdict: 'possible' }
  /** It did not land and can no longer land. */
  | { readonly verdict: 'absent' }
  /** It can no longer land, and nothing proves that it did not. What was found may be the transaction. */
  | {
      readonly verdict: 'unprovable';
      readonly status?: KnownStatus['status'];
      readonly namesake?: Namesake;
    };

/**
 * Looks once for all parts of the proof. Callers look twice, `ABSENCE_GAP_MS` apart. The parts are:
 *
 * 1. The finalized block height is past the last valid one.
 * 2. A node that has reached that height's slot does not know the signature.
 * 3. None of the wallets' finalized transactions since the signature has the memo of the operation.
 * 4. The history of the RPC reaches back to before the signature.
 *
 * Throws the errors of `call`.
 */
export async function proveAbsence(call: CallHistory, missing: MissingTransaction): Promise<Absence> {
  const { signature, others = new Set() } = missing;
  const tip = await readFinalizedTip(call);
  if (tip.height <= missing.lastValidBlockHeight) return { verdict: 'possible' };
  if (signature) {
    const { isUnreported, status } = await readStatus(call, signature, tip.slot);
    if (!isUnreported) return { verdict: 'unprovable', status };
  }
  const backTo = await missing.since(tip.slot);
  const namesake = await findByMemo(call, missing, { backTo, asOf: tip.slot, others });
  if (namesake) return { verdict: 'unprovable', namesake };
  // This comes last: the first available block only rises, so it also covers the reads above.
  return { verdict: (await reachesBackTo(call, backTo)) ? 'absent' : 'unprovable' };
}

/** The proof, from the answers of one RPC, that a signed transaction did not land and can no longer land. */
import type { Address, Signature, TransactionError } from '@solana/kit';
import { findByMemo, type HistoryLimits } from './find-by-memo.ts';
import { type CallHistory, reachesBackTo, readFinalizedTip, readStatus } from './history-reads.ts';

/** Milliseconds between the two proofs, by the same RPC, that make an absence certain. */
export const ABSENCE_GAP_MS = 5_000;

/** A signed transaction that is not known to have landed. */
export interface MissingTransaction {
  readonly operationId: string;
  readonly wallet: Address;
  /** Base58; undefined if it is not known. */
  readonly signature: Signature | undefined;
  /** The message, if it is known: it can land under another signature. */
  readonly message?: Uint8Array;
  /** A slot before the signature existed. */
  readonly signedAtSlot: bigint;
  /** A height after which the transaction's blockhash has certainly expired. */
  readonly lastValidBlockHeight: bigint;
  /** Whether another transaction with the memo has landed. Then the memo says nothing about this one. */
  readonly isMemoUsed?: boolean;
}

/** The result of one look for an absence. */
export type Absence =
  /** The transaction can still land. */
  | { readonly verdict: 'possible' }
  /** It did not land and can no longer land. */
  | { readonly verdict: 'absent' }
  /** It landed. */
  | { readonly verdict: 'landed'; readonly slot: bigint; readonly err: TransactionError | null }
  /** It can no longer land, and the RPC cannot prove whether it did. */
  | { readonly verdict: 'unprovable' };

const UNPROVABLE: Absence = { verdict: 'unprovable' };

/**
 * Looks once for all parts of the proof. Callers look twice, `ABSENCE_GAP_MS` apart. The parts are:
 *
 * 1. The finalized block height is past the last valid one.
 * 2. A node that has reached that height's slot does not know the signature.
 * 3. None of the wallet's finalized transactions since the signature has the memo of the operation.
 * 4. The history of the RPC reaches back to before the signature.
 *
 * Throws the errors of `call`.
 */
export async function proveAbsence(
  call: CallHistory,
  missing: MissingTransaction,
  most?: HistoryLimits,
): Promise<Absence> {
  const { signature, message } = missing;
  const tip = await readFinalizedTip(call);
  if (tip.height <= missing.lastValidBlockHeight) return { verdict: 'possible' };
  if (signature) {
    const status = await readStatus(call, signature, tip.slot);
    if (status.state === 'FINALIZED') return { verdict: 'landed', slot: status.slot, err: status.err };
    if (status.state === 'UNCLEAR') return UNPROVABLE;
  }
  const backTo = { slot: missing.signedAtSlot };
  if (!missing.isMemoUsed) {
    const window = { backTo, asOf: tip.slot, ...(most ? { most } : {}) };
    const namesake = await findByMemo(call, missing, window);
    const found = namesake?.transaction;
    // The same message under another signature is the operation. Another message may have the same effect.
    if (found && message && `${found.message}` === `${message}`)
      return { verdict: 'landed', slot: found.slot, err: found.err };
    if (namesake) return UNPROVABLE;
  }
  // This comes last: the first available block only rises, so it also covers the reads above.
  return (await reachesBackTo(call, backTo)) ? { verdict: 'absent' } : UNPROVABLE;
}

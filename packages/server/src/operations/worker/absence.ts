/** Proves with one node that an operation did not land and can no longer land. */
import type { CallHistory } from '@service/protocol/absence/finalized-reads';
import { proveAbsence } from '@service/protocol/absence/prove-absence';
import {
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  type SolanaRpcApi,
  type TransactionError,
} from '@solana/kit';
import type { OperationRow } from '../../database/schema.ts';
import { messageToSign } from '../record.ts';

/**
 * The most pages of 1,000 signatures, and the most transactions, that one proof reads; beyond that nothing is proven. Anyone
 * can name the wallet in transactions, and copy a memo, at little cost. Without a limit, a thousand copies for one operation
 * would occupy every step of the worker.
 */
const MOST: Readonly<Record<string, number>> = { getSignaturesForAddress: 5, getTransaction: 128 };

class LimitReached extends Error {}

/** The result of asking one node about an operation that it does not know. */
export type OperationAbsence =
  /** The transaction can still land; it can no longer land and did not; this node cannot prove whether it did. */
  | { readonly verdict: 'possible' | 'absent' | 'unprovable' }
  /** It landed. */
  | { readonly verdict: 'landed'; readonly slot: bigint; readonly err: TransactionError | null };

const UNPROVABLE: OperationAbsence = { verdict: 'unprovable' };

/**
 * Asks one node for the proof. Throws the errors of the RPC.
 *
 * @param callSignal makes the signal of one call
 */
export async function proveOperationAbsent(
  rpc: Rpc<SolanaRpcApi>,
  row: OperationRow,
  callSignal: () => AbortSignal,
): Promise<OperationAbsence> {
  const missing = {
    operationId: row.id,
    wallets: [row.wallet],
    signature: row.signature ?? undefined,
    since: () => ({ slot: row.draft_slot }),
    lastValidBlockHeight: row.last_valid_block_height,
  };
  const calls: Record<string, number> = {};
  const call: CallHistory = (method, read) => {
    calls[method] = (calls[method] ?? 0) + 1;
    if (calls[method] > (MOST[method] ?? Infinity)) throw new LimitReached();
    return read(rpc, { abortSignal: callSignal() });
  };
  try {
    const absence = await proveAbsence(call, missing);
    if (absence.verdict !== 'unprovable') return absence;
    const { status, namesake } = absence;
    if (status?.confirmationStatus === 'finalized') return { ...status, verdict: 'landed' };
    // The same message under another signature is the operation. Another message may have the same effect.
    const found = namesake?.transaction;
    const isSame = found && Buffer.compare(found.message, messageToSign(row)) === 0;
    return isSame ? { ...found, verdict: 'landed' } : UNPROVABLE;
  } catch (error) {
    // The node deleted the transaction where the next page begins, so it cannot list the rest.
    const isDeleted = isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND);
    if (isDeleted || error instanceof LimitReached) return UNPROVABLE;
    throw error;
  }
}

/** Proves with one node that an operation did not land and can no longer land. */
import { type Absence, proveAbsence } from '@service/protocol';
import {
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  type SolanaRpcApi,
} from '@solana/kit';
import { messageToSign, type OperationRow } from '../tables.ts';

/**
 * The most that one proof reads; beyond that nothing is proven. Anyone can name the wallet in transactions, and copy a memo,
 * at little cost. Without a limit, a thousand copies for one operation would occupy every step of the worker.
 */
const MOST = { pages: 5, withMemo: 32, withoutMemo: 256 };

/**
 * Asks one node for the proof. Throws the errors of the RPC.
 *
 * @param callSignal makes the signal of one call
 */
export async function proveOperationAbsent(
  rpc: Rpc<SolanaRpcApi>,
  row: OperationRow,
  callSignal: () => AbortSignal,
): Promise<Absence> {
  const missing = {
    operationId: row.id,
    wallet: row.wallet,
    signature: row.signature ?? undefined,
    message: messageToSign(row),
    signedAtSlot: row.draft_slot,
    lastValidBlockHeight: row.last_valid_block_height,
  };
  try {
    return await proveAbsence((_, read) => read(rpc, { abortSignal: callSignal() }), missing, MOST);
  } catch (error) {
    // The node deleted the transaction where the next page begins, so it cannot list the rest.
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND))
      return { verdict: 'unprovable' };
    throw error;
  }
}

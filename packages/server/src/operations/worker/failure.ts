import type { OperationFailure, OperationKind } from '@service/contract';
import { decodeTransactionError, programErrorMessage } from '@service/protocol';
import type { TransactionError } from '@solana/kit';

/** The failure of a transaction that did not land and can no longer land. */
export const NEVER_LANDED: OperationFailure = {
  reason: 'NEVER_LANDED',
  message: 'The transaction expired before it landed. Nothing changed on chain. Prepare the operation again.',
};

/** Returns why a transaction failed on chain, as the operation record shows it. */
export function onChainFailure(kind: OperationKind, error: TransactionError): OperationFailure {
  const { cause, ...failure } = decodeTransactionError(kind, error);
  const where = failure.instruction === undefined ? 'transaction' : 'instruction';
  const message = failure.programError
    ? programErrorMessage(kind, failure.programError)
    : `The ${where} failed: ${cause}`;
  return { reason: 'ON_CHAIN_ERROR', ...failure, message: `${message}.` };
}

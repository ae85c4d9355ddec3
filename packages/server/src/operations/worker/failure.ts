import type { OperationFailure } from '@service/contract';
import { decodeTransactionError, programErrorMessage, readOperationInstructions } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { OperationRow } from '../../database/schema.ts';
import { messageToSign } from '../message-to-sign.ts';

/** The failure of a transaction that did not land and can no longer land. */
export const NEVER_LANDED: OperationFailure = {
  reason: 'NEVER_LANDED',
  message: 'The transaction expired before it landed. Nothing changed on chain. Prepare the operation again.',
};

/** Returns why a transaction failed on chain, as the operation record shows it. */
export function onChainFailure(row: OperationRow, program: Address, error: unknown): OperationFailure {
  const programs = readOperationInstructions(messageToSign(row))?.programs ?? [];
  const { cause, ...failure } = decodeTransactionError({ action: row.kind, program, programs }, error);
  const where = failure.instruction === undefined ? 'transaction' : 'instruction';
  const message = failure.programError
    ? programErrorMessage(row.kind, failure.programError)
    : `The ${where} failed: ${cause}`;
  return { reason: 'ON_CHAIN_ERROR', ...failure, message: `${message}.` };
}

/** Compares a record of the service with the transaction that the caller follows. */
import type { Operation, OperationIn } from '@service/contract';
import type { Signature } from '@solana/kit';
import type { SignedOperation } from './ledger.ts';

/** An operation whose signed bytes the service accepted (SPEC.md section 3). */
export type SubmittedOperation = OperationIn<'QUEUED' | 'SUBMITTED' | 'UNRESOLVED' | 'FINALIZED' | 'FAILED'>;

/** Returns whether a record is about the transaction that this client signed. */
export function isSameOperation(
  operation: Operation,
  signed: SignedOperation,
): operation is SubmittedOperation {
  return (
    operation.operationId === signed.operationId &&
    operation.kind === signed.kind &&
    operation.wallet === signed.wallet &&
    isUnder(signed.signature, operation)
  );
}

/** Returns whether a record is about the transaction with a signature. */
export function isUnder(signature: Signature, operation: Operation): boolean {
  return 'signature' in operation && operation.signature === signature;
}

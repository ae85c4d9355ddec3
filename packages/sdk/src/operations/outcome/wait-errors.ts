/** The errors of a wait for an operation. */
import type { OperationState } from '@service/contract';
import type { Address } from '@solana/kit';
import type { FailedOperation } from '../../error-contexts.ts';
import { ServiceError } from '../../errors.ts';
import { LIMIT_REMEDY, programRemedy } from '../../transaction/program-remedies.ts';
import type { SignedOperation } from './ledger.ts';

/** Returns the error of an operation that certainly ended without effect. */
export function operationFailed(
  failure: FailedOperation,
  signed: SignedOperation | undefined,
): ServiceError<'OPERATION_FAILED'> {
  const { operationId, reason, programError, instruction } = failure;
  const why =
    reason === 'NEVER_LANDED'
      ? 'it never landed, and its blockhash has expired. Nothing changed, and no fee was paid. Check that the wallet has SOL for fees.'
      : `the chain refused it${programError ? ` with ${programError.name} (${programError.code})` : ''}${
          instruction === undefined ? '' : ` in instruction ${instruction}`
        }. Nothing changed but the network fee.`;
  return new ServiceError('OPERATION_FAILED', {
    message: `The operation ${operationId} failed: ${why}${remedyOf(failure, signed)}`,
    context: failure,
  });
}

/** Says what to do. A check reports the reasons of the program before anybody signs, but not those of the wallet's additions. */
function remedyOf(
  { reason, programError, instruction }: FailedOperation,
  signed: SignedOperation | undefined,
): string {
  if (reason === 'NEVER_LANDED') return '';
  const remedy = programError && programRemedy(programError.name);
  if (programError?.name === 'GUARD_FAILED') return ` ${remedy}`;
  if (!programError && instruction !== undefined) return ` ${LIMIT_REMEDY}`;
  if (!signed) return '';
  if (signed.kind === 'PROVE') return ' client.checkProof reports why.';
  if (['ISSUE', 'TRANSFER'].includes(signed.kind)) return ' client.checkTransfer reports why.';
  return remedy ? ` ${remedy}` : '';
}

/** Returns the error of a signature that belongs to another operation: the mistake is the caller's. */
export function signatureOfAnother(): ServiceError<'INVALID_ARGUMENT'> {
  return new ServiceError('INVALID_ARGUMENT', {
    message:
      'signature belongs to a transaction of another operation or wallet. Pass the signature that you kept with the id.',
    context: { field: 'signature' },
  });
}

/** Returns the error of an operation that nobody sent, and that can no longer land. */
export function neverSent(operationId: string): ServiceError<'DRAFT_EXPIRED'> {
  return new ServiceError('DRAFT_EXPIRED', {
    message: `The operation ${operationId} has not landed, and it can no longer land. Prepare again.`,
  });
}

/** Returns the error of a draft that no wallet is asked to sign. */
export function notSigned(operationId: string): ServiceError<'OPERATION_NOT_SIGNED'> {
  return new ServiceError('OPERATION_NOT_SIGNED', {
    message: `This client prepared the operation ${operationId} and has not signed it. Sign it with client.signAndSubmit(wallet, prepared), or prepare again.`,
    context: { operationId },
  });
}

/** An operation, and the state that the service last named. */
interface Asked {
  readonly operationId: string;
  readonly named: OperationState | null;
}

/** Returns the error of a wait that ended before the chain showed the outcome. */
export function outcomeUnknown(
  { operationId, named }: Asked,
  why: string,
  cause?: unknown,
): ServiceError<'OUTCOME_UNKNOWN'> {
  return unknown(
    { operationId, named },
    `The outcome of ${operationId} is not known: ${why}, and your own RPC does not show it. Do not repeat the operation. Wait again with client.waitForOperation('${operationId}').`,
    cause,
  );
}

/** Returns the error of a search that ended before it could prove anything. */
export function searchTimedOut(asked: Asked, timeoutMs: number): ServiceError<'OUTCOME_UNKNOWN'> {
  return unknown(
    asked,
    `It is not known whether ${asked.operationId} was signed: ${timeoutMs} ms have passed, and the service says ${saidOf(asked)}. Either a signature can still land, or the history of your own RPC is too short. Do not repeat the operation. Wait again with client.waitForOperation('${asked.operationId}'), and pass preparedAt or use an RPC with the whole history.`,
  );
}

/** Returns the error of an operation for which no wallet is known to search. */
export function noWalletToSearch(asked: Asked): ServiceError<'OUTCOME_UNKNOWN'> {
  return unknown(
    asked,
    `It is not known whether ${asked.operationId} was signed: the service says ${saidOf(asked)}, and the client cannot search your own RPC without the wallet. Sign in first with client.authenticate(wallet, genesisHash), or pass the wallet: client.waitForOperation('${asked.operationId}', { wallet }).`,
  );
}

/** Returns the error of an operation that none of the searched wallets signed, but another wallet may have. */
export function otherWallet(asked: Asked, wallets: readonly Address[]): ServiceError<'OUTCOME_UNKNOWN'> {
  return unknown(
    asked,
    `It is not known whether ${asked.operationId} was signed. ${wallets.join(', ')} did not sign it, but nothing shows that it was prepared for that wallet. Do not repeat the operation. Pass the wallet that it was prepared for: client.waitForOperation('${asked.operationId}', { wallet }).`,
  );
}

/** Returns the error of a transaction that only the service calls the caller's. */
export function walletUnknown(
  asked: Asked,
  { wallet, expected }: { readonly wallet: string; readonly expected: Address | undefined },
): ServiceError<'OUTCOME_UNKNOWN'> {
  const { operationId, named } = asked;
  const remedy = expected
    ? `that is not the wallet ${expected} that you passed`
    : `nothing shows that this wallet is yours. Sign in first with client.authenticate(wallet, genesisHash), or pass the wallet that signed it: client.waitForOperation('${operationId}', { wallet })`;
  return unknown(
    asked,
    `The outcome of ${operationId} is not known: the service says ${named} of a transaction of ${wallet}, and ${remedy}. Do not repeat the operation.`,
  );
}

function unknown(
  { operationId, named }: Asked,
  message: string,
  cause?: unknown,
): ServiceError<'OUTCOME_UNKNOWN'> {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message,
    context: { operationId, ...(named ? { answer: named } : {}) },
    cause,
  });
}

function saidOf({ named }: Asked): string {
  return named ?? 'nothing about it';
}

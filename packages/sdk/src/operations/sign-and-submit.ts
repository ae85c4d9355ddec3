/** Signs what the caller asked for and nothing else, and submits it (SPEC.md section 4, prepare rule 3). */
import { DRAFT_LIFETIME_SECONDS, type Operation } from '@service/contract';
import { wireTransaction } from '@service/protocol';
import { getBase58Decoder, getBase64Decoder, type Signature } from '@solana/kit';
import { alreadySigned, type ClientCore } from '../client/core.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { type CallOptions, throwIfAborted, withDeadline } from '../lib/deadline.ts';
import { expectedMessage } from '../transaction/expected-message.ts';
import { signUnchanged } from '../transaction/sign-unchanged.ts';
import { type Signer, signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import {
  checkCanPayFee,
  checkIsDraft,
  checkLifetime,
  checkNothingInFlight,
  checkStillValid,
  checkWallet,
  draftExpired,
} from './check-before-signing.ts';
import type { SignedOperation } from './outcome.ts';
import { type PreparedOperation, type PreparedSecret, unseal } from './prepared.ts';
import { isSameOperation, type SubmittedOperation } from './same-operation.ts';

/** See `ServiceClient.signAndSubmit`. */
export async function signAndSubmit(
  core: ClientCore,
  wallet: Wallet,
  prepared: PreparedOperation,
  { signal }: CallOptions,
): Promise<SubmittedOperation> {
  const secret = unseal(core, prepared);
  const signer = signerOf(wallet);
  const { operationId, expiresAt } = secret;
  checkWallet(signer, secret);
  checkIsDraft(core, secret, signer.address);
  // Do not wait between the checks and this line. So the second of two calls at the same time sees the first.
  core.ledger.ask(operationId, signer.address);
  const { signed, wire } = await haveSigned(core, signer, secret, signal).catch((error: unknown) => {
    core.ledger.withdraw(operationId);
    throw error;
  });
  // Another client may have had the same draft signed while this wallet was asked.
  if (core.ledger.isOver(operationId)) throw alreadySigned(operationId);
  // From here on, the bytes may have left this client.
  core.ledger.send(signed);
  core.store.follow({ ...signed, state: 'SIGNED', expiresAt }, signed);
  return submit(core, signed, wire, signal);
}

/** Does everything until the bytes leave this client. */
async function haveSigned(
  core: ClientCore,
  signer: Signer,
  secret: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<{ signed: SignedOperation; wire: Uint8Array }> {
  const { operationId, intent, expiresAt } = secret;
  await checkNothingInFlight(core, signer.address, signal);
  const expected = await expectedMessage(core, secret, signal);
  const validity = await checkLifetime(core, expected.blockhash, signal);
  await checkCanPayFee(core, signer.address, signal);
  throwIfAborted(signal, 'signAndSubmit');
  // An open prompt would block the wallet. The service could overstate how long the draft is valid, so cap it.
  const seconds = Math.min(Number(expiresAt - core.now()), DRAFT_LIFETIME_SECONDS);
  const prompt = { signal, timeoutMs: seconds * 1000, what: 'signAndSubmit' };
  const signature = await withDeadline(prompt, () =>
    signUnchanged(signer, wireTransaction(expected.message), 'The service accepts only what it prepared'),
  ).catch((error: unknown) => {
    throw isServiceError(error, 'TIMEOUT') ? draftExpired() : error;
  });
  await checkStillValid(core, secret, expected.blockhash, signal);
  throwIfAborted(signal, 'signAndSubmit');
  const signed: SignedOperation = {
    operationId,
    kind: intent.kind,
    wallet: signer.address,
    signature: getBase58Decoder().decode(signature) as Signature,
    ...validity,
  };
  return { signed, wire: wireTransaction(expected.message, new Uint8Array(signature)) };
}

async function submit(
  core: ClientCore,
  signed: SignedOperation,
  wire: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<SubmittedOperation> {
  let operation: Operation;
  try {
    const body = { operationId: signed.operationId, transaction: getBase64Decoder().decode(wire) };
    operation = await core.api.call('submit', { body, signal });
  } catch (error) {
    throw outcomeUnknown(signed.operationId, isServiceError(error) ? error : undefined);
  }
  if (!isSameOperation(operation, signed)) throw outcomeUnknown(signed.operationId);
  core.store.follow(operation);
  return operation;
}

/** Returns the error of an operation whose signed bytes have left: only the chain shows what happened. */
function outcomeUnknown(operationId: string, cause?: ServiceError): ServiceError<'OUTCOME_UNKNOWN'> {
  const answer = cause
    ? `the service answered ${cause.code} (${cause.message})`
    : 'the service returned another operation';
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `The signed transaction was sent, and ${answer}. Only the chain can show the outcome. Do not repeat the operation. Wait with client.waitForOperation('${operationId}').`,
    context: { operationId, ...(cause ? { answer: cause.code } : {}) },
    retryable: false,
    ...(cause ? { cause, status: cause.status, requestId: cause.requestId } : {}),
  });
}

/** Signs what the caller asked for and nothing else, and submits it (SPEC.md section 4, prepare rule 3). */
import type { Operation } from '@service/contract';
import { type AdditionLimits, priorityFeeLamports, wireTransaction } from '@service/protocol';
import { getBase58Decoder, getBase64Decoder, type Signature } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { type CallOptions, throwIfAborted, withDeadline } from '../lib/clock.ts';
import { checkSession, type Session } from '../session/session.ts';
import { checkAnswer } from '../transaction/check-answer.ts';
import { type Signer, signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type AdditionOptions, readAdditions } from './additions/addition-options.ts';
import {
  checkAgain,
  checkBeforeSigning,
  checkIsDraft,
  checkNotExpired,
  checkStillValid,
  checkWallet,
  draftExpired,
  type Request,
  readyRequest,
} from './check-before-signing.ts';
import { checkNothingHeld, hold } from './outcome/held.ts';
import {
  alreadySigned,
  isSameOperation,
  type SignedOperation,
  type SubmittedOperation,
} from './outcome/ledger.ts';
import { type PreparedOperation, type PreparedSecret, unseal } from './prepared.ts';
import type { ClientState, Operations, OperationsOnChain } from './state.ts';

/** Options of `signAndSubmit` (SPEC.md section 4). */
export interface SignOptions extends CallOptions, AdditionOptions {}

/** See `ServiceClient.signAndSubmit`. */
export async function signAndSubmit(
  state: ClientState,
  wallet: Wallet,
  prepared: PreparedOperation,
  options: SignOptions,
): Promise<SubmittedOperation> {
  const { operations } = state;
  const secret = unseal(operations, prepared);
  const signer = signerOf(wallet);
  const limits = limitsOf(operations, secret, options);
  const { operationId, expiresAt } = secret;
  checkWallet(signer, secret);
  checkIsDraft(state, secret, signer.address);
  const request = readyRequest(state, secret, options.signal);
  // Do not wait between the checks and this line. So the second of two calls at the same time sees the first.
  operations.ledger.ask(operationId, signer.address);
  const { signed, wire } = await haveSigned(state, signer, secret, { ...options, limits, request });
  operations.snapshot.follow({ ...signed, state: 'SIGNED', expiresAt }, signed);
  return submit(state, signed, wire, options.signal);
}

/** How the wallet is asked. */
interface Asking extends CallOptions {
  readonly limits: AdditionLimits;
  /** What the wallet is asked to sign, if the operation is ready. Then it is asked without a wait. */
  readonly request: Request | undefined;
}

/** Checks, asks the wallet, and checks its answer. Leaves the operation SENT, or not ASKING any more if it throws. */
async function haveSigned(
  state: ClientState,
  signer: Signer,
  secret: PreparedSecret,
  { signal, limits, request: isReady }: Asking,
): Promise<{ signed: SignedOperation; wire: Uint8Array }> {
  const { operationId, intent } = secret;
  const { session, chain } = state;
  const { ledger } = state.operations;
  const request =
    isReady ??
    (await checkBeforeSigning(state, secret, signal).catch((error: unknown) => {
      ledger.withdraw(operationId);
      throw error;
    }));
  const { wire, blockhash, signedAtSlot, lastValidBlockHeight } = request;
  const answer = await askWallet(state, signer, { secret, request, signal });
  try {
    const taken = 'The service accepts only what it prepared';
    const checked = await checkAnswer({ wallet: signer.address, wire, answer, taken, limits });
    const { message, signature, isUnchanged } = checked;
    if (isReady) await checkAgain(state, secret, signal);
    const checkSame = () => checkSession(session, signer.address, signal);
    if (!isUnchanged) {
      await checkSame();
      await adopt(session, { operationId, message }, signal);
    }
    // The prompt can have been open for long.
    await Promise.all([checkStillValid(chain, blockhash, signal), checkSame()]);
    // A prompt of an earlier call can have been answered in the meantime.
    await checkNothingHeld(state, signer.address, signal);
    throwIfAborted(signal, 'signAndSubmit');
    const base58 = getBase58Decoder().decode(signature) as Signature;
    const signed = {
      operationId,
      kind: intent.kind,
      wallet: signer.address,
      signature: base58,
      signedAtSlot,
      lastValidBlockHeight,
    };
    // Another client may have had the same draft signed while this wallet was asked.
    if (ledger.isOver(operationId)) throw alreadySigned(operationId);
    // The prompt can take longer than the draft is valid, and the service or the RPC can answer late.
    checkNotExpired(chain, secret);
    // After this line, the bytes may have left this client.
    ledger.send(signed);
    return { signed, wire: wireTransaction(message, new Uint8Array(signature)) };
  } catch (error) {
    hold(state, { operationId, wallet: signer.address, signedAtSlot, answer });
    throw error;
  }
}

/** Returns what the wallet may add. A fee that the caller asked for stays allowed. */
function limitsOf(
  { additions }: Operations,
  { budget }: PreparedSecret,
  options: AdditionOptions,
): AdditionLimits {
  const { guards, maxPriorityFeeLamports } = readAdditions(options, additions);
  const asked = priorityFeeLamports(budget ?? {});
  return {
    guards,
    maxPriorityFeeLamports: maxPriorityFeeLamports > asked ? maxPriorityFeeLamports : asked,
  };
}

/**
 * Asks the service to adopt the signed message. A draft adopts one message, once, and then accepts no other bytes
 * (SPEC.md section 4, prepare rule 4).
 *
 * @throws ServiceError the codes of the endpoint, UNEXPECTED_RESPONSE
 */
async function adopt(
  { api }: Session,
  { operationId, message }: { readonly operationId: string; readonly message: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = { operationId, message: getBase64Decoder().decode(message) };
  const operation = await api.call('adopt', { body, signal });
  if (operation.operationId !== operationId || operation.state !== 'DRAFT')
    throw unexpected('POST /api/transactions/adopt', 'returns something other than the draft');
}

/** Returns the wallet's answer. If the call ends first, notes the answer when it arrives. */
async function askWallet(
  state: OperationsOnChain,
  signer: Signer,
  asked: {
    readonly secret: PreparedSecret;
    readonly request: Request;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Uint8Array> {
  const { signal, request } = asked;
  const { clock } = state.chain;
  const { ledger } = state.operations;
  const { operationId, deadline } = asked.secret;
  // An open prompt would block the wallet.
  const prompt = { clock, signal, timeoutMs: deadline - clock.elapsed(), what: 'signAndSubmit' };
  const answered = signer.signTransaction(request.wire);
  try {
    return await withDeadline(prompt, () => answered);
  } catch (error) {
    const isOpen = isServiceError(error, 'TIMEOUT') || isServiceError(error, 'ABORTED');
    const note = (answer: Uint8Array) =>
      hold(state, { operationId, wallet: signer.address, signedAtSlot: request.signedAtSlot, answer });
    // A wallet that returned something else than bytes can have signed.
    const noteFailure = (failure: unknown) =>
      isServiceError(failure, 'WALLET_REJECTED') ? ledger.withdraw(operationId) : note(new Uint8Array());
    if (isOpen) {
      ledger.leave(operationId);
      answered.then(note, noteFailure);
    } else noteFailure(error);
    throw isServiceError(error, 'TIMEOUT') ? draftExpired() : error;
  }
}

async function submit(
  { session, operations }: ClientState,
  signed: SignedOperation,
  wire: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<SubmittedOperation> {
  let operation: Operation;
  try {
    const body = { operationId: signed.operationId, transaction: getBase64Decoder().decode(wire) };
    operation = await session.api.call('submit', { body, signal });
  } catch (error) {
    throw outcomeUnknown(signed.operationId, isServiceError(error) ? error : undefined);
  }
  if (!isSameOperation(operation, signed)) throw outcomeUnknown(signed.operationId);
  operations.snapshot.follow(operation);
  return operation;
}

/** Returns the error of an operation whose signed bytes have left: only the chain shows what happened. */
function outcomeUnknown(operationId: string, cause?: ServiceError): ServiceError<'OUTCOME_UNKNOWN'> {
  const answer = cause
    ? `the service answered ${cause.code} (${cause.message})`
    : 'the service returned another operation';
  const isRefused = cause?.status !== undefined && cause.status >= 400 && cause.status < 500;
  const chance = isRefused
    ? 'So the service does not send it, but another tab may have sent it. It can land for about two minutes.'
    : 'Only the chain can show the outcome.';
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `The signed transaction was sent, and ${answer}. ${chance} Do not repeat the operation before client.waitForOperation('${operationId}') has ended, which takes at most three minutes.`,
    context: { operationId, ...(cause ? { answer: cause.code } : {}) },
    retryable: false,
    ...(cause ? { cause, status: cause.status, requestId: cause.requestId } : {}),
  });
}

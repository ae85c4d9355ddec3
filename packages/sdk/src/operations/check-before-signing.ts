/**
 * Checks a prepared operation before the wallet is asked to sign it: at the call, or ahead of the click. Browsers let a wallet
 * open a window only for a moment after a click.
 */
import { wireTransaction } from '@service/protocol';
import type { Address, Blockhash, Instruction } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import {
  type CallOptions,
  type Moment,
  momentOf,
  mostSince,
  throwIfAborted,
  unixSeconds,
} from '../lib/clock.ts';
import { checkAct } from '../preflight/check-act.ts';
import { type Chain, callRpc, checkGenesisHash, readHeight } from '../rpc/chain.ts';
import { checkFunds } from '../rpc/funds.ts';
import { readSession, type Session } from '../session/session.ts';
import { expectedMessage, rebuiltMessage } from '../transaction/expected-message.ts';
import type { Signer } from '../wallet/signer.ts';
import { checkNothingHeld } from './outcome/held.ts';
import { checkNotSent, type Ledger } from './outcome/ledger.ts';
import { mayLand, readOutcome } from './outcome/prove-outcome.ts';
import { type PreparedOperation, type PreparedSecret, unseal } from './prepared.ts';
import type { ClientState, OperationsOnChain } from './state.ts';

/** What the wallet is asked to sign. */
export interface Request {
  readonly wire: Uint8Array;
  readonly instruction: Instruction;
  readonly blockhash: string;
  readonly signedAtSlot: bigint;
  readonly lastValidBlockHeight: bigint;
}

/** Checks everything that can be checked before the wallet is asked, and returns what it is asked to sign. */
export async function checkBeforeSigning(
  state: ClientState,
  secret: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<Request> {
  const { wallet } = secret.intent;
  await checkNothingInFlight(state, wallet, signal);
  await checkNothingHeld(state, wallet, signal);
  const { message, blockhash, instruction } = await expectedMessage(state, secret, signal);
  const validity = await checkLifetime(state.chain, blockhash, signal);
  await checkAct(state.chain, secret.intent, signal);
  await checkFunds(state.chain, secret, signal);
  throwIfAborted(signal, 'signAndSubmit');
  // A slow RPC can outlast the draft.
  checkNotExpired(state.chain, secret);
  return { wire: wireTransaction(message), instruction, blockhash, ...validity };
}

/** Milliseconds for which an operation stays ready. Its blockhash is valid for about a minute, and the prompt needs time. */
export const READY_MS = 30_000;

/** What was checked, and when. */
const readyStates = new WeakMap<PreparedSecret, { readonly request: Request; readonly since: Moment }>();

/** See `ServiceClient.ready`. */
export async function ready(
  state: ClientState,
  prepared: PreparedOperation,
  { signal }: CallOptions,
): Promise<bigint> {
  const { clock } = state.chain;
  const secret = unseal(state.operations, prepared);
  checkIsDraft(state, secret, secret.intent.wallet);
  const [since, now] = [momentOf(clock), unixSeconds(clock)];
  const request = await checkBeforeSigning(state, secret, signal);
  checkSignedIn(state.session, secret);
  readyStates.set(secret, { request, since });
  const leftMs = Math.min(READY_MS, secret.deadline - since.elapsed);
  return now + BigInt(Math.floor(leftMs / 1000));
}

/**
 * Returns what a ready operation asks the wallet to sign, or undefined if the checks must be made before. Makes no network
 * calls and does not wait: it compares the message again, and {@link checkAgain} repeats the others before the bytes leave.
 *
 * @throws ServiceError WALLET_MISMATCH or AUTHENTICATION_REQUIRED if the session has changed, PREPARED_MISMATCH, ABORTED
 */
export function readyRequest(
  { session, chain, operations: { ledger } }: ClientState,
  secret: PreparedSecret,
  signal: AbortSignal | undefined,
): Request | undefined {
  throwIfAborted(signal, 'signAndSubmit');
  checkSignedIn(session, secret);
  const found = readyStates.get(secret);
  const { wallet } = secret.intent;
  if (!found || mostSince(chain.clock, found.since) > READY_MS) return undefined;
  if (ledger.inFlight(wallet).length > 0 || ledger.held(wallet).length > 0) return undefined;
  const { message, blockhash } = rebuiltMessage(secret, found.request.instruction);
  return { ...found.request, wire: wireTransaction(message), blockhash };
}

/**
 * Checks again what can have changed since an operation was made ready: the session, the accounts of its transaction, what
 * lets an issuer or a creator act, and the funds. The wallet has signed, and nothing is sent if a check fails.
 *
 * @throws ServiceError WALLET_MISMATCH, AUTHENTICATION_REQUIRED, DRAFT_EXPIRED, the codes of a plan and of
 *   {@link checkAct}, INSUFFICIENT_FUNDS, AMOUNT_TOO_HIGH
 */
export async function checkAgain(
  state: ClientState,
  secret: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<void> {
  await readSession(state.session, { signal });
  checkSignedIn(state.session, secret);
  try {
    await expectedMessage(state, secret, signal);
  } catch (error) {
    // It was equal before, so the service is not to blame.
    throw isServiceError(error, 'PREPARED_MISMATCH')
      ? draftExpired('The accounts that the operation uses have changed since it was prepared.')
      : error;
  }
  await checkAct(state.chain, secret.intent, signal);
  await checkFunds(state.chain, secret, signal);
}

function checkSignedIn({ snapshot }: Session, { intent }: PreparedSecret): void {
  const [expected, received] = [intent.wallet, snapshot.wallet];
  if (received === expected) return;
  throw new ServiceError(received ? 'WALLET_MISMATCH' : 'AUTHENTICATION_REQUIRED', {
    message: `The operation was prepared for ${expected}, which is not signed in any more. Sign in with it, and prepare again. Nothing was sent.`,
    context: received ? { expected, received } : {},
  });
}

/** Checks that the wallet is the one that the operation was prepared for. Throws ServiceError WALLET_MISMATCH. */
export function checkWallet(signer: Signer, { intent }: PreparedSecret): void {
  if (signer.address === intent.wallet) return;
  throw new ServiceError('WALLET_MISMATCH', {
    message: `The operation was prepared for the signed-in wallet ${intent.wallet}, but the wallet is ${signer.address}. Pass the wallet that signed in. Nothing was signed.`,
    context: { expected: intent.wallet, received: signer.address },
  });
}

/**
 * Checks that an operation is a draft, and that neither it nor its wallet has an open prompt. The service takes only one
 * of two operations that a wallet signs at once. A clock that nobody can set measures the age of the draft, from before
 * the client asked for it.
 *
 * @throws ServiceError OPERATION_ALREADY_SIGNED, SIGNED_OPERATION_PENDING, DRAFT_EXPIRED
 */
export function checkIsDraft(
  { operations: { ledger }, chain }: OperationsOnChain,
  secret: PreparedSecret,
  wallet: Address,
): void {
  const { operationId } = secret;
  checkNotSent(ledger, operationId);
  checkNotAsked(ledger, operationId);
  const state = ledger.stateOf(operationId);
  if (state === 'HELD' || state === 'UNANSWERED') throw signedElsewhere(operationId, state);
  // A caller who got DRAFT_EXPIRED prepares again. If this draft were signed too, the write would happen twice.
  if (state !== 'DRAFT') throw draftExpired();
  if (ledger.isAsked(wallet)) throw pending(wallet, 'is being asked to sign another operation');
  checkNotExpired(chain, secret);
}

/** Checks that no call waits for a wallet to sign an operation. Throws ServiceError OPERATION_ALREADY_SIGNED. */
export function checkNotAsked(ledger: Ledger, operationId: string): void {
  if (ledger.stateOf(operationId) !== 'ASKING') return;
  throw new ServiceError('OPERATION_ALREADY_SIGNED', {
    message: `Another call has already asked the wallet to sign the operation ${operationId}. Wait for that call.`,
    context: { operationId },
  });
}

/** Checks that a draft is still valid by a clock that nobody can set. Throws ServiceError DRAFT_EXPIRED. */
export function checkNotExpired({ clock }: Chain, { deadline }: PreparedSecret): void {
  if (clock.elapsed() >= deadline) throw draftExpired();
}

/** Returns the error of an operation that a wallet has signed or may still sign for an earlier call. */
function signedElsewhere(operationId: string, state: 'HELD' | 'UNANSWERED'): ServiceError {
  const happened =
    state === 'HELD'
      ? 'The wallet has signed the operation for an earlier call, which sent nothing'
      : 'A wallet was asked to sign the operation in an earlier call, and may still do so';
  return new ServiceError('OPERATION_ALREADY_SIGNED', {
    message: `${happened}. A second signature could do the same twice, so the wallet is not asked again for ${operationId}. Prepare the operation again. The client allows that once this one can no longer land.`,
    context: { operationId },
  });
}

/**
 * Checks that a wallet has no operation in flight. The service rejects a second one, which is signed by then.
 *
 * @throws ServiceError SIGNED_OPERATION_PENDING, RPC_ERROR, ABORTED
 */
async function checkNothingInFlight(
  { operations: { ledger }, chain }: OperationsOnChain,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const signed of ledger.inFlight(wallet)) {
    const outcome = await readOutcome(chain, signed, signal);
    if (outcome.state !== 'UNSEEN') ledger.end(signed.operationId);
    else if (await mayLand(chain, signed, signal))
      throw pending(wallet, `has the operation ${signed.operationId} in flight`, {
        operationId: signed.operationId,
      });
  }
}

function pending(
  wallet: Address,
  why: string,
  context: { readonly operationId?: string } = {},
): ServiceError {
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} ${why}, and a wallet has one operation at a time. Wait for that one to end, then sign this one. Nothing was signed.`,
    context,
  });
}

/**
 * Checks the cluster and the blockhash. With a blockhash of another cluster, the wallet would sign something that is
 * valid there. Returns a slot before the signature, and the height after which the blockhash has certainly expired.
 *
 * @throws ServiceError BLOCKHASH_INVALID, GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
 */
async function checkLifetime(chain: Chain, blockhash: string, signal: AbortSignal | undefined) {
  const [found, known] = await Promise.all([
    lookUpBlockhash(chain, blockhash, signal),
    readHeight(chain, signal),
    checkGenesisHash(chain, signal),
  ]);
  if (!found.isValid) {
    throw new ServiceError('BLOCKHASH_INVALID', {
      message:
        'The blockhash of the prepared transaction is not valid on your own RPC. It has expired, or it belongs to another cluster. Prepare again. Nothing was signed.',
    });
  }
  // The height can be older, or that of a node behind the node that knows this blockhash.
  const behind = found.slot > known.slot ? found.slot - known.slot : 0n;
  return { signedAtSlot: found.slot, lastValidBlockHeight: known.lastValidBlockHeight + behind };
}

/**
 * Checks that the blockhash is still valid after the prompt. On some machines no clock counts sleep, but blockhashes expire
 * then. An expired draft is not sent, so that the outcome stays known.
 *
 * @throws ServiceError DRAFT_EXPIRED, RPC_ERROR, ABORTED
 */
export async function checkStillValid(
  chain: Chain,
  blockhash: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(await lookUpBlockhash(chain, blockhash, signal)).isValid) throw draftExpired();
}

/** Returns whether a blockhash is valid, and the slot of the node that answered. */
function lookUpBlockhash(
  chain: Chain,
  blockhash: string,
  signal: AbortSignal | undefined,
): Promise<{ isValid: boolean; slot: bigint }> {
  return callRpc(chain, 'isBlockhashValid', signal, async (rpc, options) => {
    const wanted = blockhash as Blockhash;
    const { context, value } = await rpc.isBlockhashValid(wanted, { commitment: 'confirmed' }).send(options);
    return { isValid: value, slot: context.slot };
  });
}

/** Returns the error of a draft that expired before it was signed. */
export function draftExpired(why = 'The draft expired before it was signed.'): ServiceError<'DRAFT_EXPIRED'> {
  return new ServiceError('DRAFT_EXPIRED', {
    message: `${why} Prepare again. Nothing was sent.`,
  });
}

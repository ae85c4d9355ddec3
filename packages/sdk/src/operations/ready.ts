/**
 * Gets a prepared operation ready ahead of the click: makes every check that comes before the wallet is asked. Browsers let
 * a wallet open a window only for a moment after a click.
 */
import { wireTransaction } from '@service/protocol';
import type { Instruction } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { type CallOptions, throwIfAborted, unixSeconds } from '../lib/clock.ts';
import { type Moment, momentOf, mostSince } from '../lib/moment.ts';
import { checkAct } from '../preflight/check-act.ts';
import { checkFunds } from '../rpc/funds.ts';
import { readSession, type Session } from '../session/session.ts';
import { expectedMessage, rebuiltMessage } from '../transaction/expected-message.ts';
import {
  checkIsDraft,
  checkLifetime,
  checkNotExpired,
  checkNothingInFlight,
  draftExpired,
} from './check-before-signing.ts';
import { checkNothingHeld } from './outcome/held.ts';
import { type PreparedOperation, type PreparedSecret, unseal } from './prepared.ts';
import type { ClientState } from './state.ts';

/** Milliseconds for which an operation stays ready. Its blockhash is valid for about a minute, and the prompt needs time. */
export const READY_MS = 30_000;

/** What the wallet is asked to sign. */
export interface Request {
  readonly wire: Uint8Array;
  readonly instruction: Instruction;
  readonly blockhash: string;
  readonly signedAtSlot: bigint;
  readonly lastValidBlockHeight: bigint;
}

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

/** Gets a credential: starts a verification on the verifier's page, and waits for the result. */
import type { Credential, Verification, VerificationSession, Witness } from '@service/contract';
import { credentialRecordOf, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { backoff, type CallOptions, pause, withDeadline } from '../lib/clock.ts';
import { quoted } from '../lib/service-words.ts';
import { readFinalAccount } from '../rpc/accounts.ts';
import { type SessionOnChain, sessionWallet } from '../session/session.ts';
import { isCredentialOf, isCredentialUnderWay } from './credential-of-witness.ts';
import { parseWitness } from './witness.ts';
import { checkWitnessOf } from './witness-owner.ts';

/** The request of `startVerification` (SPEC.md section 4). */
export interface StartVerificationRequest {
  /** A page under the site's own origin. */
  readonly returnUrl: string;
  /** The name of a verifier that `client.config()` lists in `verifiers`. @default the first one */
  readonly verifier?: string | undefined;
}

/** See `ServiceClient.startVerification`. */
export async function startVerification(
  { session: { api }, chain }: SessionOnChain,
  { returnUrl, verifier }: StartVerificationRequest,
  { signal }: CallOptions,
): Promise<VerificationSession> {
  const verification = await api.call('verificationSessions', { body: { returnUrl, verifier }, signal });
  const { origin, protocol, username, password } = new URL(verification.url);
  // A `blob:` URL has the origin of the page inside it, and people read user info as the host.
  const isPage = /^https?:$/.test(protocol) && username === '' && password === '';
  if (isPage && chain.deployment.verifierOrigins.includes(origin)) return verification;
  throw new ServiceError('VERIFIER_ORIGIN_MISMATCH', {
    message: `The service names a verifier at ${quoted(isPage ? origin : verification.url)}, but the deployment pins ${chain.deployment.verifierOrigins.join(', ')}. Do not open it.`,
  });
}

/** Options of `waitForCredential` (SPEC.md section 1). */
export interface WaitForCredentialOptions extends CallOptions {
  /**
   * The witness that the person came back with. The call then waits for the credential that it belongs to, and returns no
   * earlier one of the wallet. It stays on this machine. Pass it after every verification.
   */
  readonly witness?: Witness | undefined;
  /** Accepts only a credential issued later than this time, in Unix seconds. @default any credential */
  readonly issuedAfter?: bigint;
  /** Longest wait in milliseconds. @default 120000 */
  readonly timeoutMs?: number;
}

const WHAT = 'waitForCredential';

/**
 * How long to wait for the credential of a witness while the service says that no verification is under way. The index and
 * the caller's RPC can be behind the verification.
 */
const SETTLED_MS = 10_000;

/** See `ServiceClient.waitForCredential`. */
export async function waitForCredential(
  state: SessionOnChain,
  { signal, witness: given, issuedAfter = -1n, timeoutMs = 120_000 }: WaitForCredentialOptions,
): Promise<Credential> {
  const witness = given === undefined ? undefined : parseWitness(given);
  const seen: Seen = {
    ...{ wallet: null, isRead: false, credential: null, rpcError: undefined, settledMs: 0 },
    isInReview: false,
  };
  const waited = await withDeadline({ clock: state.chain.clock, signal, timeoutMs, what: WHAT }, (bounded) =>
    untilIndexed(state, { issuedAfter, witness }, seen, bounded),
  ).catch((error: unknown) => {
    throw isServiceError(error, 'TIMEOUT') ? timedOut(seen, timeoutMs) : error;
  });
  if (waited !== 'SETTLED') return waited;
  throw seen.credential ? ofEarlier(seen.credential.wallet) : timedOut(seen, SETTLED_MS);
}

/**
 * Waits for the credential of a witness if the service names a verification that can have issued it. Returns at once if the
 * index has the credential, or if there is nothing to wait for: then the proof finds out what is wrong.
 *
 * @throws ServiceError what {@link waitForCredential} throws
 */
export async function waitIfOnItsWay(
  state: SessionOnChain,
  witness: Witness,
  signal: AbortSignal | undefined,
): Promise<void> {
  const passport = await orIfServiceFails(state.session.api.call('passport', { signal }));
  const verified = passport?.verification?.state;
  if (passport?.wallet !== witness.wallet || verified === undefined || verified === 'FAILED') return;
  if (await isCredentialOf(witness, passport.credential, signal)) return;
  await waitForCredential(state, { witness, signal });
}

/** Which credential a call waits for. */
interface Wanted {
  readonly issuedAfter: bigint;
  readonly witness: Witness | undefined;
}

/** What a wait for a credential has seen so far. */
interface Seen {
  wallet: Address | null;
  /** Whether the last read of the chain succeeded. */
  isRead: boolean;
  credential: Credential | null;
  /** Whether the service says that the verifier reviews the person. */
  isInReview: boolean;
  /** The error of the RPC, if the last read failed. */
  rpcError: unknown;
  /** How long, in milliseconds, no verification was under way and the chain did not have the credential of the witness. */
  settledMs: number;
}

/** Returns the credential, or SETTLED when none of the witness can come any more. */
async function untilIndexed(
  state: SessionOnChain,
  wanted: Wanted,
  seen: Seen,
  signal: AbortSignal,
): Promise<Credential | 'SETTLED'> {
  for (const delay of backoff({ firstMs: 250, mostMs: 2_000 })) {
    seen.wallet ??= await orIfServiceFails(sessionWallet(state.session, signal));
    if (seen.wallet) {
      if (wanted.witness) checkWitnessOf(seen.wallet, wanted.witness);
      const found = await findWanted(state, seen.wallet, wanted, seen, signal);
      if (found && found !== 'SETTLED') return found;
      seen.settledMs = found ? seen.settledMs + delay : 0;
      if (seen.settledMs > SETTLED_MS) return 'SETTLED';
    }
    await pause(state.chain.clock, delay, signal, WHAT);
  }
  throw new Error('unreachable');
}

/** Looks once. Returns the wanted credential if the chain and the index have it; SETTLED if no verification can bring it. */
async function findWanted(
  state: SessionOnChain,
  wallet: Address,
  wanted: Wanted,
  seen: Seen,
  signal: AbortSignal,
): Promise<Credential | 'SETTLED' | null> {
  const address = await programAddresses(state.chain.deployment.program).credential(wallet);
  seen.isRead = false;
  try {
    const account = await readFinalAccount(state.chain, 'credential', address, signal);
    seen.credential = account && credentialRecordOf(account);
    seen.isRead = true;
    seen.rpcError = undefined;
  } catch (error) {
    if (!isServiceError(error, 'RPC_ERROR')) throw error;
    seen.rpcError = error;
  }
  const { credential, isRead } = seen;
  const isFound = credential !== null && (await isWanted(wanted, credential, signal));
  const passport = await orIfServiceFails(state.session.api.call('passport', { signal }));
  if (credential && isFound && isSame(passport?.credential, credential)) return credential;
  const { verification } = passport ?? {};
  if (passport) seen.isInReview = verification?.pendingSince !== undefined;
  // Trust the service only if the chain does not have the credential. A false failure only refuses, as any service can.
  if (!isFound && isRead && verification?.state === 'FAILED') throw failed(verification);
  const canCome = passport === null || isFound || isCredentialUnderWay(verification);
  const isSettled = wanted.witness !== undefined && isRead && !canCome;
  return isSettled ? 'SETTLED' : null;
}

/** Returns whether a credential is the one to wait for. One that belongs to the witness counts also if it was revoked. */
async function isWanted(
  { issuedAfter, witness }: Wanted,
  credential: Credential,
  signal: AbortSignal,
): Promise<boolean> {
  if (credential.issuedAt <= issuedAfter) return false;
  return witness ? isCredentialOf(witness, credential, signal) : !credential.revoked;
}

function ofEarlier(wallet: Address): ServiceError {
  return new ServiceError('WITNESS_INVALID', {
    message: `The witness does not belong to the newest credential of ${wallet}. Use the witness of the last verification, or get verified again.`,
  });
}

function timedOut(
  { wallet, isRead, credential, rpcError, isInReview }: Seen,
  timeoutMs: number,
): ServiceError {
  const happened = !wallet
    ? 'the service did not name the signed-in wallet. Call waitForCredential again.'
    : !isRead
      ? `your own RPC did not show the credential of ${wallet}. Check rpcUrl of the deployment, or the rpc option, then call waitForCredential again.`
      : isInReview
        ? `the verifier still reviews the person of ${wallet}, which can take days. Start another verification when the review is over.`
        : credential
          ? `the credential of ${wallet} on chain is not new, or the service has not indexed it. Call waitForCredential again.`
          : `there is no credential of ${wallet} on chain. Finish the verification at the verifier, then call waitForCredential again.`;
  return new ServiceError('TIMEOUT', { message: `After ${timeoutMs} ms ${happened}`, cause: rpcError });
}

/** Returns the service's answer, or null if it or a proxy in front of it cannot answer now. */
async function orIfServiceFails<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isServiceError(error) && error.retryable) return null;
    throw error;
  }
}

/** Returns whether the service has indexed the credential, which later calls need. */
function isSame(indexed: Credential | null | undefined, found: Credential): boolean {
  return indexed?.commitment === found.commitment && indexed.issuedAt === found.issuedAt;
}

function failed({ failure = '' }: Verification): ServiceError {
  return new ServiceError('VERIFICATION_FAILED', {
    message: `The verification failed: ${quoted(failure)} Start another one.`,
  });
}

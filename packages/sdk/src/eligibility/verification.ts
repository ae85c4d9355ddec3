/** Gets a credential: starts a verification on the verifier's page, and waits for the result. */
import type { Credential, Verification, VerificationSession } from '@service/contract';
import { credentialRecordOf, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { type ClientCore, sessionWallet } from '../client/core.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { backoff, type CallOptions, pause, withDeadline } from '../lib/deadline.ts';
import { quoted } from '../lib/quoted.ts';
import { readFinalAccount } from '../rpc/accounts.ts';

/** See `ServiceClient.startVerification`. */
export async function startVerification(
  core: ClientCore,
  { returnUrl }: { readonly returnUrl: string },
  { signal }: CallOptions,
): Promise<VerificationSession> {
  const session = await core.api.call('verificationSessions', { body: { returnUrl }, signal });
  const { origin, protocol, username, password } = new URL(session.url);
  // A `blob:` URL has the origin of the page inside it, and people read user info as the host.
  const isPage = /^https?:$/.test(protocol) && username === '' && password === '';
  if (isPage && core.deployment.verifierOrigins.includes(origin)) return session;
  throw new ServiceError('VERIFIER_ORIGIN_MISMATCH', {
    message: `The service names a verifier at ${quoted(isPage ? origin : session.url)}, but the deployment pins ${core.deployment.verifierOrigins.join(', ')}. Do not open it.`,
  });
}

/**
 * Options of `waitForCredential` (SPEC.md section 1).
 *
 * @inline
 */
export interface WaitForCredentialOptions extends CallOptions {
  /** Accepts only a credential issued later than this time, in Unix seconds. Use it if the wallet already has one. */
  readonly issuedAfter?: bigint;
  /** Longest wait in milliseconds. @default 120000 */
  readonly timeoutMs?: number;
}

const WHAT = 'waitForCredential';

/** See `ServiceClient.waitForCredential`. */
export async function waitForCredential(
  core: ClientCore,
  { signal, issuedAfter = -1n, timeoutMs = 120_000 }: WaitForCredentialOptions,
): Promise<Credential> {
  const seen: Seen = { wallet: null, isRead: false, credential: null, rpcError: undefined };
  try {
    return await withDeadline({ clock: core.clock, signal, timeoutMs, what: WHAT }, (bounded) =>
      untilIndexed(core, { issuedAfter, seen }, bounded),
    );
  } catch (error) {
    if (isServiceError(error, 'TIMEOUT')) throw timedOut(seen, timeoutMs);
    throw error;
  }
}

/** What a wait for a credential has seen so far. */
interface Seen {
  wallet: Address | null;
  /** Whether the last read of the chain has ended well. */
  isRead: boolean;
  credential: Credential | null;
  /** The error of the RPC, if the last read failed. */
  rpcError: unknown;
}

async function untilIndexed(
  core: ClientCore,
  { issuedAfter, seen }: { readonly issuedAfter: bigint; readonly seen: Seen },
  signal: AbortSignal,
): Promise<Credential> {
  for (const delay of backoff({ firstMs: 250, mostMs: 2_000 })) {
    seen.wallet ??= await orIfServiceFails(sessionWallet(core, signal));
    if (seen.wallet) {
      const found = await findNew(core, { wallet: seen.wallet, issuedAfter, seen }, signal);
      if (found) return found;
    }
    await pause(core.clock, delay, signal, WHAT);
  }
  throw new Error('unreachable');
}

/** Returns the credential if the chain and the index have a new one. */
async function findNew(
  core: ClientCore,
  {
    wallet,
    issuedAfter,
    seen,
  }: { readonly wallet: Address; readonly issuedAfter: bigint; readonly seen: Seen },
  signal: AbortSignal,
): Promise<Credential | null> {
  const address = await programAddresses(core.deployment.program).credential(wallet);
  seen.isRead = false;
  try {
    const account = await readFinalAccount(core, 'credential', address, signal);
    seen.credential = account && credentialRecordOf(account);
    seen.isRead = true;
    seen.rpcError = undefined;
  } catch (error) {
    if (!isServiceError(error, 'RPC_ERROR')) throw error;
    seen.rpcError = error;
  }
  const { credential, isRead } = seen;
  const isNew = credential !== null && credential.issuedAt > issuedAfter && !credential.revoked;
  const passport = await orIfServiceFails(core.api.call('passport', { signal }));
  if (credential && isNew && isSame(passport?.credential, credential)) return credential;
  // Trust the service only if there is no new credential on chain. A false failure only refuses, as any service can.
  if (!isNew && isRead && passport?.verification?.state === 'FAILED') throw failed(passport.verification);
  return null;
}

function timedOut({ wallet, isRead, credential, rpcError }: Seen, timeoutMs: number): ServiceError {
  const happened = !wallet
    ? 'the service did not name the signed-in wallet. Call waitForCredential again.'
    : !isRead
      ? `your own RPC did not show the credential of ${wallet}. Check rpcUrl of the deployment, or the rpc option, then call waitForCredential again.`
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

/** Gets a credential: starts a verification on the verifier's page, and waits for the result. */
import type { Credential, Passport, Verification, VerificationSession } from '@service/contract';
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
  const seen: Seen = { wallet: null, credential: null, rpcError: undefined };
  try {
    return await withDeadline({ signal, timeoutMs, what: WHAT }, (bounded) =>
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
  credential: Credential | null;
  /** The error of the RPC, if the last read failed. */
  rpcError: unknown;
}

async function untilIndexed(
  core: ClientCore,
  { issuedAfter, seen }: { readonly issuedAfter: bigint; readonly seen: Seen },
  signal: AbortSignal,
): Promise<Credential> {
  const wallet = await sessionWallet(core, signal);
  seen.wallet = wallet;
  const address = await programAddresses(core.deployment.program).credential(wallet);
  for (const delay of backoff({ firstMs: 250, mostMs: 2_000 })) {
    try {
      const account = await readFinalAccount(core, 'credential', address, signal);
      seen.credential = account && credentialRecordOf(account);
      seen.rpcError = undefined;
    } catch (error) {
      if (!isServiceError(error, 'RPC_ERROR')) throw error;
      seen.rpcError = error;
    }
    const { credential, rpcError } = seen;
    const isNew = credential !== null && credential.issuedAt > issuedAfter && !credential.revoked;
    const passport = await readPassport(core, signal);
    if (credential && isNew && isSame(passport?.credential, credential)) return credential;
    // Trust the service only if there is no new credential on chain. A false failure only refuses, as any service can.
    if (!isNew && !rpcError && passport?.verification?.state === 'FAILED')
      throw failed(passport.verification);
    await pause(delay, signal, WHAT);
  }
  throw new Error('unreachable');
}

function timedOut({ wallet, credential, rpcError }: Seen, timeoutMs: number): ServiceError {
  const of = wallet ? ` of ${wallet}` : '';
  const happened = rpcError
    ? `your own RPC did not show the credential${of}. Check rpcUrl of the deployment, or the rpc option, then wait again.`
    : credential
      ? `the credential${of} on chain is not new, or the service has not indexed it. Wait again.`
      : `there is no credential${of} on chain. Finish the verification at the verifier, then wait again.`;
  return new ServiceError('TIMEOUT', { message: `After ${timeoutMs} ms ${happened}`, cause: rpcError });
}

/** Returns the service's records of the wallet, or null if it cannot answer now. */
async function readPassport(core: ClientCore, signal: AbortSignal | undefined): Promise<Passport | null> {
  try {
    return await core.api.call('passport', { signal });
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

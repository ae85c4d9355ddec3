/** Gets a credential: starts a verification on the verifier's page, and waits for the result. */
import type { Credential, Passport, Verification, VerificationSession } from '@service/contract';
import { credentialRecordOf, programAddresses } from '@service/protocol';
import { type ClientCore, sessionWallet } from '../client/core.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { backoff, type CallOptions, pause } from '../lib/deadline.ts';
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

/** See `ServiceClient.waitForCredential`. */
export async function waitForCredential(
  core: ClientCore,
  { signal, issuedAfter = -1n, timeoutMs = 120_000 }: WaitForCredentialOptions,
): Promise<Credential> {
  const wallet = await sessionWallet(core, signal);
  const address = await programAddresses(core.deployment.program).credential(wallet);
  const deadline = performance.now() + timeoutMs;
  let found: Credential | null = null;
  for (const delay of backoff({ firstMs: 250, mostMs: 2_000 })) {
    const account = await readFinalAccount(core, 'credential', address, signal);
    found = account && credentialRecordOf(account);
    const isNew = found !== null && found.issuedAt > issuedAfter && !found.revoked;
    const passport = await readPassport(core, signal);
    if (found && isNew && isSame(passport?.credential, found)) return found;
    // Trust the service only if there is no new credential on chain. A false failure only refuses, as any service can.
    if (!isNew && passport?.verification?.state === 'FAILED') throw failed(passport.verification);
    if (performance.now() + delay > deadline) break;
    await pause(delay, signal, 'waitForCredential');
  }
  throw new ServiceError('TIMEOUT', {
    message: found
      ? `After ${timeoutMs} ms the credential of ${wallet} on chain is not new, or the service has not indexed it. Wait again.`
      : `After ${timeoutMs} ms there is no credential of ${wallet} on chain. Finish the verification at the verifier, then wait again.`,
  });
}

/** Returns the service's records of the wallet, or null while its index is stale. */
async function readPassport(core: ClientCore, signal: AbortSignal | undefined): Promise<Passport | null> {
  try {
    return await core.api.call('passport', { signal });
  } catch (error) {
    if (isServiceError(error, 'INDEX_STALE')) return null;
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

/** Getting a credential: the verifier's hosted page, and waiting for what it reports. */
import type { Credential, Passport, Verification, VerificationSession } from '@service/contract';
import { credentialRecordOf, programAddresses, readAccount } from '@service/protocol';
import { type ClientCore, sessionWallet } from '../client/core.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { backoff, type CallOptions, pause } from '../lib/deadline.ts';
import { quoted } from '../lib/quoted.ts';
import { callRpc, readerOf } from '../rpc/chain-rpc.ts';

/** See `ServiceClient.startVerification`. */
export async function startVerification(
  core: ClientCore,
  { returnUrl }: { readonly returnUrl: string },
  { signal }: CallOptions,
): Promise<VerificationSession> {
  const session = await core.api.call('verificationSessions', { body: { returnUrl }, signal });
  const { origin, protocol, username, password } = new URL(session.url);
  // The origin of a `blob:` is that of the page inside it; user info is read as the host by people.
  const isPage = /^https?:$/.test(protocol) && username === '' && password === '';
  if (isPage && core.deployment.verifierOrigins.includes(origin)) return session;
  throw new ServiceError('VERIFIER_ORIGIN_MISMATCH', {
    message: `The service sends to a verifier at ${quoted(isPage ? origin : session.url)}; the deployment pins ${core.deployment.verifierOrigins.join(', ')}. Do not open it.`,
    context: {},
  });
}

/**
 * Options of `waitForCredential` (SPEC.md section 1).
 *
 * @inline
 */
export interface WaitForCredentialOptions extends CallOptions {
  /** Takes only a credential issued later than this, in Unix seconds: for a wallet that has one already. */
  readonly issuedAfter?: bigint;
  /** Milliseconds. @default 120000 */
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
    const account = await callRpc('Reading the credential', signal, () =>
      readAccount(readerOf(core, signal), 'credential', address),
    );
    found = account && credentialRecordOf(account);
    const isNew = found !== null && found.issuedAt > issuedAfter && !found.revoked;
    const told = await readPassport(core, signal);
    if (found && isNew && isSame(told?.credential, found)) return found;
    // The service's word is enough to give up: it can refuse, as always. A credential that is there is not given up.
    if (!isNew && told?.verification?.state === 'FAILED') throw failed(told.verification);
    if (performance.now() + delay > deadline) break;
    await pause(delay, signal, 'waitForCredential');
  }
  throw new ServiceError('TIMEOUT', {
    message: found
      ? `The credential of ${wallet} is on chain but not in the service's index after ${timeoutMs} ms, or is not new. Wait again.`
      : `There is no credential of ${wallet} on chain after ${timeoutMs} ms. Finish the verification at the verifier, then wait again.`,
    context: {},
  });
}

/** What the service's reads show; null while its index is stale. */
async function readPassport(core: ClientCore, signal: AbortSignal | undefined): Promise<Passport | null> {
  try {
    return await core.api.call('passport', { signal });
  } catch (error) {
    if (isServiceError(error, 'INDEX_STALE')) return null;
    throw error;
  }
}

/** Whether the service's index has the credential too, so that what follows finds it. */
function isSame(indexed: Credential | null | undefined, found: Credential): boolean {
  return indexed?.commitment === found.commitment && indexed.issuedAt === found.issuedAt;
}

function failed({ failure = '' }: Verification): ServiceError {
  return new ServiceError('VERIFICATION_FAILED', {
    message: `The verification came to nothing: ${quoted(failure)} Start another one.`,
    context: {},
  });
}

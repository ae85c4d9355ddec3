/** `POST /api/verification-sessions`: opens a session at the external verifier (SPEC.md section 1). */
import { randomUUID } from 'node:crypto';
import { ROUTES, VERIFICATION_SESSION_LIFETIME_SECONDS, type VerificationSession } from '@service/contract';
import {
  HOSTED_SESSIONS_PATH,
  type HostedSessionRequest,
  hostedSessionRequest,
  hostedSessionResponse,
  returnUrlUnder,
  signWebhook,
  webhookSecrets,
} from '@service/contract/verifier';
import { logError } from '@service/process';
import * as z from 'zod/mini';
import { invalidRequest, ServiceFault } from '../http/failures/fault.ts';
import { readAtMost } from '../http/routing/body.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import type { VerifierSettings } from '../settings.ts';
import { isUnreported } from './sessions.ts';
import { verifierNamed } from './verifiers.ts';

const VERIFIER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 16_384;

/**
 * Stores a session, then requests its hosted page from the verifier.
 *
 * @throws ServiceFault INVALID_REQUEST if the return URL is not under the page's origin, or there is no such verifier; UNAVAILABLE if the verifier does
 * not open a session
 */
export async function startVerification(
  service: Service,
  { wallet, body: { returnUrl, verifier: name }, origin, signal }: RouteInput<'verificationSessions'>,
): Promise<VerificationSession> {
  const normal = returnUrlUnder(origin, returnUrl);
  if (!normal) {
    throw invalidRequest(`body.returnUrl must be a URL under ${origin} without a fragment.`);
  }
  const { db, clock, log, settings } = service;
  const verifier = verifierNamed(settings, name);
  const sessionId = randomUUID();
  const now = clock.now();
  const expiresAt = BigInt(Math.floor(now / 1000) + VERIFICATION_SESSION_LIFETIME_SECONDS);
  await db
    .insertInto('verification_session')
    .values({
      id: sessionId,
      wallet,
      state: 'STARTED',
      verifier: verifier.name,
      created_at: BigInt(now),
      expires_at: expiresAt * 1000n,
    })
    .execute();
  try {
    const session = {
      sessionId,
      wallet,
      returnUrl: normal,
      siteOrigin: origin,
      expiresAt,
      webhookUrl: `${settings.origin}${ROUTES.webhook.path}`,
      program: settings.program,
      genesisHash: settings.genesisHash,
    };
    return { sessionId, url: await openHostedSession(verifier, session, { clock, signal }), expiresAt };
  } catch (error) {
    logError(
      log.child({ verifier: verifier.name }),
      error,
      'the verifier did not open a session; if it answered 401, check WEBHOOK_SECRET, or OTHER_VERIFIERS',
    );
    await db.deleteFrom('verification_session').where('id', '=', sessionId).where(isUnreported).execute();
    throw error;
  }
}

async function openHostedSession(
  verifier: VerifierSettings,
  session: HostedSessionRequest,
  { clock, signal }: Pick<Service, 'clock'> & { signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify(z.encode(hostedSessionRequest, session));
  const secret = webhookSecrets(verifier);
  const headers = signWebhook({ secret, id: `msg_${randomUUID()}`, now: clock.now(), body });
  const answer = await postJson(`${verifier.url}${HOSTED_SESSIONS_PATH}`, { body, headers, signal });
  const parsed = z.safeDecode(hostedSessionResponse, answer as z.input<typeof hostedSessionResponse>);
  if (!parsed.success || !/^https?:\/\//.test(parsed.data.url)) throw unavailable('did not return a URL');
  return parsed.data.url;
}

async function postJson(
  url: string,
  request: { body: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<unknown> {
  let response: Response;
  let bytes: Uint8Array | null;
  try {
    response = await fetch(url, {
      method: 'POST',
      body: request.body,
      headers: { 'content-type': 'application/json', ...request.headers },
      redirect: 'error',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(VERIFIER_TIMEOUT_MS)]),
    });
    bytes = await readAtMost(response.body, MAX_ANSWER_BYTES);
  } catch (cause) {
    throw unavailable('did not respond', cause);
  }
  if (!response.ok) throw unavailable(`answered ${response.status}`);
  if (!bytes) throw unavailable('answered too many bytes');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw unavailable('did not return JSON', cause);
  }
}

function unavailable(what: string, cause?: unknown): ServiceFault {
  return new ServiceFault('UNAVAILABLE', `The verifier ${what}. Try again later.`, {
    retryAfterSeconds: 5,
    cause,
  });
}

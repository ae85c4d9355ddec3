/** Sends one message to a service. */
import { type WebhookRequest, webhookRequest } from '@service/contract';
import { signWebhook } from '@service/contract/verifier';
import * as z from 'zod/mini';
import type { Verifier } from '../verifier.ts';

const TIMEOUT_MS = 5_000;

/** A message. A retry of the same message has the same id, so that the service acts once. */
export interface SentMessage {
  readonly id: string;
  readonly webhookUrl: string;
  readonly event: WebhookRequest;
}

/**
 * What the service said: it stored the message, it rejected it and repeating it changes nothing, or it did not respond, or
 * asks for a retry.
 */
export type Outcome = 'accepted' | 'rejected' | 'unreachable';

/** Sends a message once. */
export async function sendMessage(verifier: Verifier, message: SentMessage): Promise<Outcome> {
  const outcome = await attempt(verifier, message);
  verifier.metrics.messages.inc({ type: message.event.type, outcome });
  return outcome;
}

async function attempt(
  { settings, clock, fetch, log }: Verifier,
  { id, webhookUrl, event }: SentMessage,
): Promise<Outcome> {
  const site = settings.sites.find((each) => each.webhookUrl === webhookUrl);
  if (!site) {
    log.error({ webhookUrl }, 'no site has this URL any more; add it to SITES again');
    return 'unreachable';
  }
  const body = JSON.stringify(z.encode(webhookRequest, event));
  const signed = signWebhook({ secret: site.webhookSecrets, id, now: clock.now(), body });
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // An unread body would keep the connection open.
    await response.arrayBuffer();
    if (response.status === 200) return 'accepted';
    const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
    log.warn(
      { type: event.type, session: event.data.sessionId, status: response.status },
      'the service did not accept a message',
    );
    return isFinal ? 'rejected' : 'unreachable';
  } catch (error) {
    const { name } = error as Error;
    log.warn({ type: event.type, session: event.data.sessionId, error: name }, 'the service did not respond');
    return 'unreachable';
  }
}

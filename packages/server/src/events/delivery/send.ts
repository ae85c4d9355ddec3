/** Sends one webhook. */

import { signWebhook } from '@service/contract/verifier';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Service } from '../../service.ts';
import type { EventReceiver } from '../../settings.ts';
import { eventJson, type RecordedEvent } from '../record.ts';

const DELIVERY_TIMEOUT_MS = 10_000;

/**
 * The result of a delivery: accepted, or why not, and whether the receiver refused the content of this event. The reason contains no
 * URL and no secret.
 */
export type Delivered =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly isOfEvent: boolean };

/** Statuses that refuse the content of one event. Others, such as 401 and 404, concern all events. */
const OF_EVENT: ReadonlySet<number> = new Set([400, 409, 422]);

/** Sends an event, signed for this attempt. Only a status of 2xx accepts it; a redirect does not. */
export async function sendWebhook(
  { clock }: Pick<Service, 'clock'>,
  { url, secrets }: EventReceiver,
  event: RecordedEvent,
  over: AbortSignal,
): Promise<Delivered> {
  const body = eventJson(event);
  const headers = signWebhook({ secret: secrets, id: event.id, now: clock.now(), body });
  try {
    return await withTimeout(over, DELIVERY_TIMEOUT_MS, async (signal) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
        redirect: 'error',
        signal,
      });
      // The status decides. The rest of the response may never end.
      void response.body?.cancel().catch(() => undefined);
      const { status } = response;
      return response.ok
        ? { ok: true }
        : { ok: false, reason: `HTTP ${status}`, isOfEvent: OF_EVENT.has(status) };
    });
  } catch (error) {
    return { ok: false, reason: reasonOf(error), isOfEvent: false };
  }
}

/** Returns the code or name of a network error. Its message may contain the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name === 'TimeoutError' ? `no response within ${DELIVERY_TIMEOUT_MS / 1_000} s` : error.name;
}

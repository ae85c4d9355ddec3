/** Reports to the service by its webhook. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebhookRequest, webhookRequest } from '@service/contract';
import { signWebhook } from '@service/contract/verifier';
import * as z from 'zod/mini';

/** Options of `sendReport`. */
export interface ReportOptions {
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly event: WebhookRequest;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds before each retry. */
  readonly retryDelaysMs: readonly number[];
  readonly fetch: typeof globalThis.fetch;
}

/** The result of a report: accepted, refused with a status that a retry does not change, or no response. */
export type ReportOutcome =
  | { readonly outcome: 'received' }
  | { readonly outcome: 'refused'; readonly status: number }
  | { readonly outcome: 'unreachable' };

const ATTEMPT_TIMEOUT_MS = 5_000;

/** Sends a signed event, and retries while the service does not respond. All attempts have one id, so the service acts once. */
export async function sendReport(options: ReportOptions): Promise<ReportOutcome> {
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify(z.encode(webhookRequest, options.event));
  for (const delay of [0, ...options.retryDelaysMs]) {
    await pause(delay);
    const status = await attempt(options, id, body);
    if (status !== null && status < 300) return { outcome: 'received' };
    if (status !== null && status < 500 && status !== 429) return { outcome: 'refused', status };
  }
  return { outcome: 'unreachable' };
}

async function attempt(options: ReportOptions, id: string, body: string): Promise<number | null> {
  const { webhookUrl, webhookSecret: secret } = options;
  try {
    const response = await options.fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signWebhook({ secret, id, now: options.now(), body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    // An unread body would keep the connection open.
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

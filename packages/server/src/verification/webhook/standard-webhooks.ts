/**
 * Standard Webhooks (HMAC-SHA256 over `id.timestamp.body`), both ways: the service and its verifier share one secret.
 *
 * The library computes signatures; the timestamp is judged here, because the library reads the machine's clock.
 */
import { timingSafeEqual } from 'node:crypto';
import { WEBHOOK_TOLERANCE_SECONDS } from '@service/contract';
import { Webhook } from 'standardwebhooks';
import type { Settings } from '../../settings.ts';

/** Names of the three headers (SPEC.md section 5). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** No dot: ids are joined to what follows by one, and two readings of the same signed bytes must not exist. */
const ID = /^[A-Za-z0-9_-]{1,100}$/;
const TIMESTAMP = /^(0|[1-9]\d{0,11})$/;
const MAX_SIGNATURES_LENGTH = 1_000;

/** What a message is signed with; `now` in Unix milliseconds. */
export interface SigningOptions {
  /** The shared secret, `whsec_` and base64; while it is exchanged, both: each is signed with, and either is enough. */
  readonly secret: string | readonly string[];
  readonly now: number;
  readonly body: string;
}

/** The secrets that the settings name: one, or two while it is exchanged. */
export function webhookSecrets(verifier: Settings['verifier']): readonly string[] {
  const { webhookSecret, previousWebhookSecret } = verifier;
  return previousWebhookSecret === undefined ? [webhookSecret] : [webhookSecret, previousWebhookSecret];
}

/** The headers that authenticate a body. A retry of the same message keeps its id. */
export function signWebhook(options: SigningOptions & { readonly id: string }): Record<string, string> {
  if (!ID.test(options.id))
    throw new RangeError('A webhook id must be 1 to 100 letters, digits, underscores or hyphens.');
  const seconds = Math.floor(options.now / 1000);
  return {
    [WEBHOOK_HEADERS.id]: options.id,
    [WEBHOOK_HEADERS.timestamp]: String(seconds),
    [WEBHOOK_HEADERS.signature]: signaturesOf(options, options.id, seconds).join(' '),
  };
}

function signaturesOf({ secret, body }: SigningOptions, id: string, seconds: number): string[] {
  const at = new Date(seconds * 1000);
  return [secret].flat().map((each) => new Webhook(each).sign(id, at, body));
}

/** Whether a message is authentic: its id when it is, the reason (safe to answer) when it is not. */
export type WebhookVerdict =
  | { readonly authentic: true; readonly id: string }
  | { readonly authentic: false; readonly reason: string };

/** Checks the headers of a message against its raw body: signature, and a timestamp within 300 s of `now`. */
export function verifyWebhook(options: SigningOptions & { readonly headers: Headers }): WebhookVerdict {
  const id = options.headers.get(WEBHOOK_HEADERS.id) ?? '';
  const timestamp = options.headers.get(WEBHOOK_HEADERS.timestamp) ?? '';
  const signatures = options.headers.get(WEBHOOK_HEADERS.signature) ?? '';
  if (!ID.test(id)) return refused(`${WEBHOOK_HEADERS.id} is missing or malformed`);
  if (!TIMESTAMP.test(timestamp)) return refused(`${WEBHOOK_HEADERS.timestamp} is missing or malformed`);
  if (signatures === '' || signatures.length > MAX_SIGNATURES_LENGTH) {
    return refused(`${WEBHOOK_HEADERS.signature} is missing or malformed`);
  }
  const sent = Number(timestamp);
  if (Math.abs(Math.floor(options.now / 1000) - sent) > WEBHOOK_TOLERANCE_SECONDS) {
    return refused(`${WEBHOOK_HEADERS.timestamp} is more than ${WEBHOOK_TOLERANCE_SECONDS} seconds away`);
  }
  const expected = signaturesOf(options, id, sent);
  const isSigned = signatures
    .split(' ')
    .some((given) => expected.some((signature) => isSame(given, signature)));
  return isSigned ? { authentic: true, id } : refused(`${WEBHOOK_HEADERS.signature} does not match`);
}

function refused(reason: string): WebhookVerdict {
  return { authentic: false, reason };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

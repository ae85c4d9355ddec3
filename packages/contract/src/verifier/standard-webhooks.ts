/**
 * Signs and verifies Standard Webhooks (HMAC-SHA256 over `id.timestamp.body`) with a secret that the service shares with its
 * verifier, or with the receiver of its events. The library computes signatures. The timestamp is checked here, because the
 * library uses the system clock.
 */
import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WEBHOOK_TOLERANCE_SECONDS } from '../limits.ts';

/** The names of the three headers (SPEC.md section 5). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** No dot, because dots separate the signed fields, and signed bytes must have only one reading. */
const ID = /^[A-Za-z0-9_-]{1,100}$/;
const TIMESTAMP = /^(0|[1-9]\d{0,11})$/;
const MAX_SIGNATURES_LENGTH = 1_000;

/** Options for signing and verification; `now` in Unix milliseconds. */
export interface SigningOptions {
  /** The shared secret (`whsec_` and base64), or two during rotation: both sign, and either one is accepted. */
  readonly secret: string | readonly string[];
  readonly now: number;
  readonly body: string;
}

/** The secrets that a service shares with its verifier: the current one, and the previous one during rotation. */
export interface WebhookSecrets {
  readonly webhookSecret: string;
  readonly previousWebhookSecret?: string | undefined;
}

/** Returns the secrets to use: one, or two during rotation. */
export function webhookSecrets({ webhookSecret, previousWebhookSecret }: WebhookSecrets): readonly string[] {
  return previousWebhookSecret === undefined ? [webhookSecret] : [webhookSecret, previousWebhookSecret];
}

/** Returns the headers that authenticate a body. A retry of the same message keeps its id. */
export function signWebhook(options: SigningOptions & { readonly id: string }): Record<string, string> {
  if (!ID.test(options.id))
    throw new RangeError('The webhook id is invalid. Use 1 to 100 letters, digits, underscores and hyphens.');
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

/** The result of verification: the message's id if it is authentic, else the reason, which the response may show. */
export type WebhookVerdict =
  | { readonly authentic: true; readonly id: string }
  | { readonly authentic: false; readonly reason: string };

/** Verifies the headers of a message against its raw body: the signature, and a timestamp within 300 s of `now`. */
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
    return refused(`${WEBHOOK_HEADERS.timestamp} is more than ${WEBHOOK_TOLERANCE_SECONDS} seconds from now`);
  }
  const expected = signaturesOf(options, id, sent);
  const isSigned = signatures
    .split(' ')
    .some((given) => expected.some((signature) => isSameSignature(given, signature)));
  return isSigned ? { authentic: true, id } : refused(`${WEBHOOK_HEADERS.signature} does not match`);
}

function refused(reason: string): WebhookVerdict {
  return { authentic: false, reason };
}

/** Compares two signatures. It takes the same time for every wrong one of the same length. */
export function isSameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** HMACs of webhooks and of calls, which all adapters make and compare here. */
import { createHmac } from 'node:crypto';
import { isSameSignature } from '@service/contract/verifier';
import { WebhookError } from '../provider.ts';
import { textAt, valueAt } from './response-fields.ts';

/** Seconds that a signed time may differ from the clock. Providers document five minutes. */
const TOLERANCE_SECONDS = 300;

/** Returns the HMAC of the parts, one after the other without a separator, in lowercase hex. */
export function hmacHex(
  secret: string,
  parts: readonly (string | Uint8Array)[],
  algorithm: 'sha256' | 'sha512' = 'sha256',
): string {
  const hmac = createHmac(algorithm, secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/**
 * Returns whether a signature is the HMAC of the parts by one of the secrets. The comparison takes the same time for every
 * wrong signature.
 */
export function isSigned(
  given: string,
  secrets: readonly string[],
  parts: readonly (string | Uint8Array)[],
  algorithm?: 'sha256' | 'sha512',
): boolean {
  return secrets.some((secret) => isSameSignature(given, hmacHex(secret, parts, algorithm)));
}

/** Checks what `isSigned` checks. @throws WebhookError if it is not signed */
export function requireSignature(...signed: Parameters<typeof isSigned>): void {
  if (isSigned(...signed)) return;
  throw new WebhookError('The signature of the webhook does not match. Compare the webhook secrets.');
}

/** Checks a signed time in Unix seconds against `now` in Unix milliseconds. @throws WebhookError if they differ too much */
export function requireFresh(seconds: number, now: number): void {
  if (Math.abs(now / 1000 - seconds) <= TOLERANCE_SECONDS) return;
  throw new WebhookError(`The webhook was signed more than ${TOLERANCE_SECONDS} seconds from now.`);
}

/** Returns the text at a path of a JSON body, or null if there is none. */
export function textIn(body: Uint8Array, path: string): string | null {
  return textAt(parse(body), path) ?? null;
}

/** Returns the number at a path of a JSON body, or NaN if there is none. */
export function numberIn(body: Uint8Array, path: string): number {
  const value = valueAt(parse(body), path);
  return typeof value === 'number' ? value : Number.NaN;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

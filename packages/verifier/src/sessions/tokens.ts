/** Secret tokens of links and cookies. The database has only their digests, so that its reader cannot use them. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Returns a new token: 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the digest that the database has of a token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Returns the token of the page on the phone. Whoever has it cannot find the token of the session. The service knows the token
 * of the session, but not the digest of the browser's cookie, so it cannot open the page on the phone.
 */
export function phoneTokenOf(token: string, browserHash: string): string {
  return createHmac('sha256', token).update(`phone\n${browserHash}`).digest('base64url');
}

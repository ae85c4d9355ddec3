/** The cookie of a browser. It is how a verifier recognizes the person who began a check. */
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { digestOf, newToken } from '../sessions/tokens.ts';

const NAME = 'browser';
/** Seconds for which a browser is recognized. Browsers allow at most 400 days. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** Returns the digest of the browser's cookie, or null if it has none. */
export function browserHashOf(c: Context, origin: string): string | null {
  const cookie = isSecure(origin) ? getCookie(c, NAME, 'host') : getCookie(c, NAME);
  return cookie === undefined ? null : digestOf(cookie);
}

/** Returns the digest of the browser's cookie. Gives it one first if it has none. */
export function knownBrowserHash(c: Context, origin: string): string {
  const known = browserHashOf(c, origin);
  if (known !== null) return known;
  const cookie = newToken();
  setCookie(c, NAME, cookie, {
    path: '/',
    httpOnly: true,
    // The person comes back from the provider by a link, which `Strict` would not count as the same site.
    sameSite: 'Lax',
    maxAge: MAX_AGE_SECONDS,
    ...(isSecure(origin) ? { secure: true, prefix: 'host' as const } : {}),
  });
  return digestOf(cookie);
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}

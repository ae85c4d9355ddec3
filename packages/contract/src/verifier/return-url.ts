/** Checks the page that a person returns to after verification. */
import { parseUrl } from '../url.ts';

/**
 * Returns the URL in the normalized form of browsers, or null if it is not under the site's origin. A URL with
 * credentials or a fragment gives null too: the verifier puts the witness in the fragment.
 */
export function returnUrlUnder(origin: string, text: string): string | null {
  // A URL parser drops tabs, converts backslashes and ignores empty user info. Other software could read another URL.
  if (/[\s\\#\p{Cc}]/u.test(text) || /^[^/?]*\/\/[^/?]*@/.test(text)) return null;
  const url = parseUrl(text);
  if (!url) return null;
  if (url.username !== '' || url.password !== '') return null;
  // Do not compare `url.origin`: for a blob URL it is the origin of the page that created it.
  return url.href.startsWith(`${origin}/`) ? url.href : null;
}

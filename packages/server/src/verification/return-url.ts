/** Where a person may be sent after verification: under the site's origin only. */

/**
 * The return URL in the normal form that every browser makes of it, or null when it does not lie under the site's
 * origin. Credentials in it are refused, and a fragment too: the fragment is where the verifier puts the witness.
 */
export function returnUrlUnder(origin: string, text: string): string | null {
  // A URL parser drops tabs, turns backslashes and forgets an empty userinfo: whoever reads without parsing is misled.
  if (/[\s\\#\p{Cc}]/u.test(text) || /^[^/?]*\/\/[^/?]*@/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  // Not the URL's own origin: a blob's is that of the page that made it.
  return url.href.startsWith(`${origin}/`) ? url.href : null;
}

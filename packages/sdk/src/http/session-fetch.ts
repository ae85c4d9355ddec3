/** Keeps the session of one client outside a browser: sends the cookie and the Origin header. */
import { callFetch, type Fetch } from './call-fetch.ts';

const SESSION_COOKIES = ['__Host-session', 'session'];

/**
 * Returns a fetch that sends the site's Origin with every request and keeps one session cookie for one client.
 *
 * A browser keeps cookies and sets the Origin itself. It hides `Set-Cookie` and ignores both request headers, so the jar
 * stays empty there. The cookie is sent only to the origin of `baseUrl`. `origin` may differ, for example behind a proxy.
 */
export function sessionFetch(options: {
  readonly fetch: Fetch | undefined;
  readonly baseUrl: string;
  readonly origin: string;
}): Fetch {
  const site = new URL(options.baseUrl).origin;
  let cookie: { name: string; value: string } | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== site) throw new TypeError('request leaves the site');
    request.headers.set('origin', options.origin);
    if (cookie) request.headers.set('cookie', `${cookie.name}=${cookie.value}`);
    const response = await callFetch(options.fetch, request);
    for (const line of response.headers.getSetCookie?.() ?? [])
      cookie = next(cookie, line, new URL(site).hostname);
    return response;
  };
}

function next(held: { name: string; value: string } | undefined, line: string, host: string) {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  const value = pair.slice(at + 1).trim();
  if (at < 1 || !SESSION_COOKIES.includes(name)) return held;
  if (!attributes.every((attribute) => isFor(host, attribute))) return held;
  const ends = attributes.some((attribute) => /^\s*max-age\s*=\s*(0|-\d+)\s*$/i.test(attribute));
  return ends || value === '' ? undefined : { name, value };
}

/** Returns whether an attribute allows the cookie for this host. Browsers drop cookies of other domains. */
function isFor(host: string, attribute: string): boolean {
  const domain = /^\s*domain\s*=\s*\.?(.*?)\s*$/i.exec(attribute)?.[1]?.toLowerCase();
  return !domain || domain === host || host.endsWith(`.${domain}`);
}

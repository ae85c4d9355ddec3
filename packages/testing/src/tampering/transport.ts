/** Responses that are too large, too small, in another format, or from elsewhere. */
import { endless, stalled } from './bodies.ts';
import { type HostileMode, type Table, type Tamper, type Tampering, tamperings } from './hostile-mode.ts';
import { editJson, isFor, jsonOf, refusal, withBody } from './responses.ts';

const NINE_MEGABYTES = 9 * 1024 * 1024;
const HTML = '<!doctype html><title>Welcome</title>';

/** Modes that concern every response of the API. */
const transport = <Change>(
  code: HostileMode['code'],
  tamperOf: (change: Change) => Tamper,
  table: Table<Change>,
): readonly Tampering[] =>
  tamperings(
    { category: 'transport', call: 'authenticate', code },
    (change) => (request, forward) =>
      new URL(request.url).pathname.startsWith('/api/')
        ? tamperOf(change)(request, forward)
        : forward(request),
    table,
  );

/** Replaces the body. */
const inBody =
  (edit: (text: string, request: Request) => BodyInit): Tamper =>
  async (request, forward) => {
    const response = await forward(request);
    return withBody(response, edit(await response.text(), request));
  };

/** Responds in place of the service. */
const instead =
  (respond: (request: Request) => Response | Promise<Response>): Tamper =>
  async (request) =>
    respond(request);

/** Replaces the session cookie. */
const inCookie =
  (edit: (cookie: string) => string): Tamper =>
  async (request, forward) => {
    const response = await forward(request);
    const [cookie] = response.headers.getSetCookie();
    if (!cookie) return response;
    const changed = withBody(response, response.body);
    changed.headers.set('set-cookie', edit(cookie));
    return changed;
  };

const untilAborted = ({ signal }: Request) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const page =
  (status: number, type = 'text/html') =>
  () =>
    new Response(HTML, { status, headers: { 'content-type': type } });

/** Tampers with the transport. */
export const TRANSPORT_TAMPERINGS: readonly Tampering[] = [
  ...transport('UNEXPECTED_RESPONSE', inBody, {
    oversized: [
      'The response is JSON followed by nine megabytes of spaces.',
      (text) => text + ' '.repeat(NINE_MEGABYTES),
    ],
    'endless-json': [
      'The response is JSON that never ends.',
      (_text, { signal }) => endless('{"list":[0', ',0', signal),
    ],
    'endless-spaces': [
      'The response is followed by spaces that never end.',
      (text, { signal }) => endless(text, ' ', signal),
    ],
    'malformed-json': ['The response is JSON without its last brace.', (text) => text.slice(0, -1)],
    'two-answers': ['A second response follows the first.', (text) => text + text],
    'deep-json': [
      'The response is a hundred thousand nested lists.',
      () => '['.repeat(100_000) + ']'.repeat(100_000),
    ],
    'list-of-answers': ['The response is in a list.', (text) => `[${text}]`],
    null: ['The response is null.', () => 'null'],
    empty: ['The response is empty.', () => ''],
    'invalid-utf-8': ['The response is not UTF-8.', () => Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    'html-with-200': ['The response is an HTML page with status 200.', () => HTML],
    prototype: ['The response has its fields in its prototype.', (text) => `{"__proto__":${text}}`],
  }),
  ...transport('UNEXPECTED_RESPONSE', instead, {
    'no-content': ['The response has status 204.', () => new Response(null, { status: 204 })],
    'redirect-with-answer': [
      'A redirect has the body of a contract error.',
      () => refusal('NOT_FOUND', 302, { location: '/elsewhere' }),
    ],
    'unknown-code': ['The error code is not one of the contract.', () => refusal('SEND_US_YOUR_KEYS', 400)],
    'inherited-code': [
      'The error code is a property that every object inherits.',
      () => refusal('constructor', 400),
    ],
  }),
  ...transport('UNAVAILABLE', instead, {
    'error-without-body': ['The error response is HTML.', () => new Response(HTML, { status: 500 })],
    'html-with-503': ['A gateway responds with an HTML page and status 503.', page(503)],
    'oversized-refusal': [
      'The error response is too long to read, with status 503.',
      () => {
        const headers = { 'content-type': 'application/json' };
        return new Response(' '.repeat(NINE_MEGABYTES), { status: 503, headers });
      },
    ],
  }),
  ...transport('RATE_LIMITED', instead, {
    'html-with-429': ['A gateway responds with an HTML page and status 429.', page(429)],
  }),
  ...transport('UNEXPECTED_RESPONSE', (tamper: Tamper) => tamper, {
    'html-type': [
      'The response is JSON with the content type of HTML.',
      async (request, forward) => {
        const response = await forward(request);
        const changed = withBody(response, response.body);
        changed.headers.set('content-type', 'text/html');
        return changed;
      },
    ],
    'redirect-elsewhere': [
      'The response redirects to another site, which responds like the service.',
      async (request, forward) => {
        // A fetch that follows redirects shows the page the other site's response.
        if (request.redirect === 'follow') return forward(request);
        return new Response(null, { status: 307, headers: { location: 'https://evil.example/api' } });
      },
    ],
    'numbers-for-strings': [
      'A time is a JSON number, which loses digits above 2^53.',
      editJson(['challenge'], (json) => ({ ...json, expiresAt: Number(json.expiresAt) })),
      { context: { field: 'expiresAt' } },
    ],
  }),
  ...transport('TIMEOUT', instead, {
    'stalled-body': [
      'The response begins and never continues.',
      ({ signal }) => new Response(stalled('{', signal), { headers: { 'content-type': 'application/json' } }),
    ],
    'no-answer': ['The service does not respond.', untilAborted],
  }),
  ...transport('NETWORK_ERROR', instead, {
    'broken-connection': [
      'The connection breaks.',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  }),
  ...transport('RATE_LIMITED', instead, {
    'rate-limited-for-ever': [
      'Every request exceeds the rate limit.',
      () => refusal('RATE_LIMITED', 429, { 'retry-after': '0' }),
    ],
    'retry-next-year': [
      'The client may retry after a year.',
      () => refusal('RATE_LIMITED', 429, { 'retry-after': '31536000' }),
    ],
  }),
  ...transport('INDEX_STALE', instead, {
    'stale-for-ever': [
      'The index never catches up.',
      () => refusal('INDEX_STALE', 503, { 'retry-after': '0' }),
      { call: 'config' },
    ],
  }),
  ...transport('AUTHENTICATION_REQUIRED', inCookie, {
    'cookie-of-another-domain': [
      'The session cookie is for another domain.',
      (cookie) => `${cookie}; Domain=evil.example`,
      { call: 'passport' },
    ],
    'cookie-of-another-name': [
      'The session cookie has another name.',
      (cookie) => `tracking=${cookie.slice(cookie.indexOf('=') + 1)}`,
      { call: 'passport' },
    ],
  }),
  ...transport(null, (tamper: Tamper) => tamper, {
    'extra-fields': [
      'The response has fields that the contract does not know. The client drops them.',
      async (request, forward) => {
        const response = await forward(request);
        if (!isFor(request, ['challenge', 'verify']) || !response.ok) return response;
        return withBody(response, JSON.stringify({ ...(await jsonOf(response)), isAdmin: true }));
      },
    ],
  }),
];

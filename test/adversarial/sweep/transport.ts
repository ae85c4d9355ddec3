/** Edits of whole responses: too large, too small, in another format, or from elsewhere. */
import {
  editJson,
  endless,
  instead,
  isFor,
  jsonOf,
  onApi,
  refusal,
  stalled,
  type Tamper,
  withBody,
} from '@service/testing/edits';
import { cases, type SweepMode } from './row.ts';

const NINE_MEGABYTES = 9 * 1024 * 1024;
const HTML = '<!doctype html><title>Welcome</title>';

const transport = <Change>(
  code: SweepMode['code'],
  tamperOf: (change: Change) => Tamper,
  table: Readonly<Record<string, Change>>,
  differs: Partial<SweepMode> = {},
) =>
  cases(
    { category: 'transport', call: 'authenticate', code, ...differs },
    (change) => onApi(tamperOf(change)),
    table,
  );

/** Replaces the body. */
const inBody =
  (edit: (text: string, request: Request) => BodyInit): Tamper =>
  async (request, forward) => {
    const response = await forward(request);
    return withBody(response, edit(await response.text(), request));
  };

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

const asItIs = (tamper: Tamper) => tamper;

export const TRANSPORT_SWEEP: readonly SweepMode[] = [
  ...transport('UNEXPECTED_RESPONSE', inBody, {
    oversized: (text) => text + ' '.repeat(NINE_MEGABYTES),
    'endless-json': (_text, { signal }) => endless('{"list":[0', ',0', signal),
    'endless-spaces': (text, { signal }) => endless(text, ' ', signal),
    'two-answers': (text) => text + text,
    'deep-json': () => '['.repeat(100_000) + ']'.repeat(100_000),
    'list-of-answers': (text) => `[${text}]`,
    null: () => 'null',
    number: () => '7',
    text: () => '"welcome"',
    empty: () => '',
    'empty-object': () => '{}',
    'invalid-utf-8': () => Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    'html-with-200': () => HTML,
    // Its fields are in its prototype.
    prototype: (text) => `{"__proto__":${text}}`,
  }),
  ...transport('UNEXPECTED_RESPONSE', instead, {
    'no-content': () => new Response(null, { status: 204 }),
    'redirect-with-answer': () => refusal('NOT_FOUND', 302, { location: '/elsewhere' }),
    'unknown-code': () => refusal('SEND_US_YOUR_KEYS', 400),
    // Every object inherits a property of this name.
    'inherited-code': () => refusal('constructor', 400),
  }),
  ...transport('UNAVAILABLE', instead, {
    'error-without-body': () => new Response(HTML, { status: 500 }),
    'oversized-refusal': () => {
      const headers = { 'content-type': 'application/json' };
      return new Response(' '.repeat(NINE_MEGABYTES), { status: 503, headers });
    },
  }),
  ...transport('RATE_LIMITED', instead, {
    'html-with-429': () => new Response(HTML, { status: 429, headers: { 'content-type': 'text/html' } }),
    'retry-next-year': () => refusal('RATE_LIMITED', 429, { 'retry-after': '31536000' }),
  }),
  ...transport('UNEXPECTED_RESPONSE', asItIs, {
    'html-type': async (request, forward) => {
      const response = await forward(request);
      const changed = withBody(response, response.body);
      changed.headers.set('content-type', 'text/html');
      return changed;
    },
    // A fetch that follows redirects shows the page the other site's response.
    'redirect-elsewhere': async (request, forward) => {
      if (request.redirect === 'follow') return forward(request);
      return new Response(null, { status: 307, headers: { location: 'https://evil.example/api' } });
    },
  }),
  ...transport(
    'UNEXPECTED_RESPONSE',
    asItIs,
    {
      // A JSON number loses digits above 2^53.
      'numbers-for-strings': editJson(['challenge'], (json) => ({
        ...json,
        expiresAt: Number(json.expiresAt),
      })),
    },
    { context: { field: 'expiresAt' } },
  ),
  ...transport('TIMEOUT', instead, {
    'stalled-body': ({ signal }) =>
      new Response(stalled('{', signal), { headers: { 'content-type': 'application/json' } }),
  }),
  ...transport(
    'AUTHENTICATION_REQUIRED',
    inCookie,
    {
      'cookie-of-another-domain': (cookie) => `${cookie}; Domain=evil.example`,
      'cookie-of-another-name': (cookie) => `tracking=${cookie.slice(cookie.indexOf('=') + 1)}`,
    },
    { call: 'passport' },
  ),
  // The client drops fields that the contract does not know.
  ...transport(null, asItIs, {
    'extra-fields': async (request, forward) => {
      const response = await forward(request);
      if (!isFor(request, ['challenge', 'verify']) || !response.ok) return response;
      return withBody(response, JSON.stringify({ ...(await jsonOf(response)), isAdmin: true }));
    },
  }),
];

/** Answers that are none: too much, too little, something else, or from elsewhere. */
import { isOf, jsonAnswer, jsonOf, refusal, rewriting, withBody } from '../memory/answers.ts';
import { endless, stalled } from './bodies.ts';
import type { HostileMode, Liar, Lie } from './hostile-mode.ts';

const MEGABYTES_9 = 9 * 1024 * 1024;
const HTML = '<!doctype html><title>Welcome</title>';

function transport(
  id: string,
  code: HostileMode['code'],
  lie: string,
  liar: Liar,
  more: Partial<HostileMode> = {},
): Lie {
  return {
    mode: { id: `transport-${id}`, category: 'transport', call: 'authenticate', code, lie, ...more },
    liar: () => async (request, ask) =>
      new URL(request.url).pathname.startsWith('/api/') ? liar(request, ask) : ask(request),
  };
}

/** An answer whose body is another one. */
function body(
  id: string,
  lie: string,
  make: (text: string, request: Request) => BodyInit | null,
  code: HostileMode['code'] = 'UNEXPECTED_RESPONSE',
): Lie {
  return transport(id, code, lie, async (request, ask) => {
    const response = await ask(request);
    return withBody(response, make(await response.text(), request));
  });
}

/** What is answered in place of the service. */
const instead =
  (answer: (request: Request) => Response | Promise<Response>): Liar =>
  async (request) =>
    answer(request);

const never = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function withType(response: Response, type: string): Response {
  response.headers.set('content-type', type);
  return response;
}

/** The lies in the transport. */
export const TRANSPORT_LIES: readonly Lie[] = [
  body(
    'oversized',
    'The answer is JSON with nine megabytes of spaces around it.',
    (text) => text + ' '.repeat(MEGABYTES_9),
  ),
  body('endless-json', 'The answer is JSON that never ends.', (_text, { signal }) =>
    endless('{"list":[0', ',0', signal),
  ),
  body('endless-spaces', 'The answer is followed by spaces that never end.', (text, { signal }) =>
    endless(text, ' ', signal),
  ),
  body('malformed-json', 'The answer is JSON with a brace missing.', (text) => text.slice(0, -1)),
  body('two-answers', 'A second answer follows the first.', (text) => text + text),
  body(
    'deep-json',
    'The answer is a hundred thousand lists in each other.',
    () => '['.repeat(100_000) + ']'.repeat(100_000),
  ),
  body('list-of-answers', 'The answer is in a list.', (text) => `[${text}]`),
  body('null', 'The answer is null.', () => 'null'),
  body('empty', 'The answer is empty.', () => ''),
  body('invalid-utf-8', 'The answer is not UTF-8.', () => Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
  body('html-with-200', 'The answer is a page of HTML with status 200.', () => HTML),
  body('prototype', 'The answer says everything of its prototype.', (text) => `{"__proto__":${text}}`),
  transport(
    'no-content',
    'UNEXPECTED_RESPONSE',
    'The answer is a 204.',
    instead(() => new Response(null, { status: 204 })),
  ),
  transport(
    'html-type',
    'UNEXPECTED_RESPONSE',
    'The answer is JSON that calls itself HTML.',
    async (request, ask) => {
      const response = await ask(request);
      return withType(withBody(response, response.body), 'text/html');
    },
  ),
  transport(
    'stalled-body',
    'TIMEOUT',
    'The answer begins and never goes on.',
    instead(({ signal }) => withType(new Response(stalled('{', signal)), 'application/json')),
  ),
  transport(
    'no-answer',
    'TIMEOUT',
    'There is no answer.',
    instead(({ signal }) => never(signal)),
  ),
  transport(
    'broken-connection',
    'NETWORK_ERROR',
    'The connection breaks.',
    instead(() => {
      throw new TypeError('fetch failed');
    }),
  ),
  transport(
    'redirect-elsewhere',
    'UNEXPECTED_RESPONSE',
    'The answer leads to another site, which answers like the service.',
    async (request, ask) => {
      // What fetch does when it is let: it goes there, and the page sees the other site's answer.
      if (request.redirect === 'follow') return ask(request);
      return new Response(null, { status: 307, headers: { location: 'https://evil.example/api' } });
    },
  ),
  transport(
    'redirect-with-answer',
    'UNEXPECTED_RESPONSE',
    'A redirect carries a refusal of the contract.',
    instead(() => refusal('NOT_FOUND', 302, { location: '/elsewhere' })),
  ),
  transport(
    'error-without-body',
    'UNEXPECTED_RESPONSE',
    'The refusal is HTML.',
    instead(() => new Response(HTML, { status: 500 })),
  ),
  ...([429, 503] as const).map((status) =>
    transport(
      `html-with-${status}`,
      'UNEXPECTED_RESPONSE',
      `A gateway’s page of HTML stands for the answer, with status ${status}.`,
      instead(() => new Response(HTML, { status, headers: { 'content-type': 'text/html' } })),
    ),
  ),
  transport(
    'oversized-refusal',
    'UNEXPECTED_RESPONSE',
    'The refusal is too long to be read, with status 503.',
    instead(
      () =>
        new Response(' '.repeat(MEGABYTES_9), {
          status: 503,
          headers: { 'content-type': 'application/json' },
        }),
    ),
  ),
  transport(
    'unknown-code',
    'UNEXPECTED_RESPONSE',
    'The refusal has a code that the contract does not know.',
    instead(() => refusal('SEND_US_YOUR_KEYS', 400)),
  ),
  transport(
    'inherited-code',
    'UNEXPECTED_RESPONSE',
    'The refusal has a code that every object has.',
    instead(() => refusal('constructor', 400)),
  ),
  transport(
    'rate-limited-for-ever',
    'RATE_LIMITED',
    'Every request is one too many.',
    instead(() => refusal('RATE_LIMITED', 429, { 'retry-after': '0' })),
  ),
  transport(
    'retry-next-year',
    'RATE_LIMITED',
    'The next request may come in a year.',
    instead(() => refusal('RATE_LIMITED', 429, { 'retry-after': '31536000' })),
  ),
  transport(
    'stale-for-ever',
    'INDEX_STALE',
    'The index never catches up.',
    instead(() => refusal('INDEX_STALE', 503, { 'retry-after': '0' })),
    { call: 'config' },
  ),
  transport(
    'cookie-of-another-domain',
    'AUTHENTICATION_REQUIRED',
    'The session’s cookie is one for another domain.',
    async (request, ask) => {
      const response = await ask(request);
      const [cookie] = response.headers.getSetCookie();
      if (!cookie) return response;
      const lied = withBody(response, response.body);
      lied.headers.delete('set-cookie');
      lied.headers.append('set-cookie', `${cookie}; Domain=evil.example`);
      return lied;
    },
    { call: 'passport' },
  ),
  transport(
    'cookie-of-another-name',
    'AUTHENTICATION_REQUIRED',
    'The session’s cookie has another name.',
    async (request, ask) => {
      const response = await ask(request);
      const [cookie] = response.headers.getSetCookie();
      if (!cookie) return response;
      const lied = withBody(response, response.body);
      lied.headers.delete('set-cookie');
      lied.headers.append('set-cookie', `tracking=${cookie.slice(cookie.indexOf('=') + 1)}`);
      return lied;
    },
    { call: 'passport' },
  ),
  {
    mode: {
      id: 'transport-numbers-for-strings',
      category: 'transport',
      call: 'authenticate',
      code: 'UNEXPECTED_RESPONSE',
      context: { field: 'expiresAt' },
      lie: 'A time is a JSON number, in which large ones lose digits.',
    },
    liar: () => rewriting(['challenge'], (told) => ({ ...told, expiresAt: Number(told.expiresAt) })),
  },
  {
    mode: {
      id: 'transport-extra-fields',
      category: 'transport',
      call: 'authenticate',
      code: null,
      lie: 'The answer has fields that the contract does not know; they are dropped.',
    },
    liar: () => async (request, ask) => {
      const response = await ask(request);
      if (!isOf(request, ['challenge', 'verify']) || !response.ok) return response;
      return jsonWithCookies(response, { ...(await jsonOf(response)), isAdmin: true });
    },
  },
];

function jsonWithCookies(response: Response, value: unknown): Response {
  const answer = jsonAnswer(value, response.status);
  for (const cookie of response.headers.getSetCookie()) answer.headers.append('set-cookie', cookie);
  return answer;
}

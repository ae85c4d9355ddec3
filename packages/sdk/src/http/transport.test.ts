/** Against a real server on loopback. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../test/support/loopback.ts';
import { type Clock, machineClock } from '../lib/clock.ts';
import { MAX_RESPONSE_BYTES } from './read-body.ts';
import { type Api, createApi } from './transport.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Awaited<ReturnType<typeof listen>>;
/** The answers in their order. The last one is repeated. */
let answers: Answer[];
let requests: { url: string; headers: IncomingMessage['headers']; body: string }[];

beforeEach(async () => {
  answers = [];
  requests = [];
  server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests.push({ url: request.url!, headers: request.headers, body });
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    answer(request, response);
  });
});
afterEach(() => server.close());

function api(retry?: { limit?: number; timeoutMs?: number }, options = {}): Api {
  return createApi({ baseUrl: server.origin, origin: server.origin, fetch, retry, ...options });
}
const JSON_TYPE = { 'content-type': 'application/json' };
const answer =
  (status: number, headers = {}, body?: string | Uint8Array): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
const json = (value: unknown, status = 200, headers = {}) =>
  answer(status, { ...JSON_TYPE, ...headers }, JSON.stringify(value));
const failure = (code: string, status: number, headers = {}) =>
  json({ error: { code, message: `it is ${code}`, requestId: 'req-1' } }, status, headers);
const brokenConnection: Answer = (request) => request.socket.destroy();
const NOBODY = json({ wallet: null });
const WALLET = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const CHALLENGE = { challengeId: ID, message: 'text', expiresAt: '1763640000' };
const challenge = (target = api(), body: object = { wallet: WALLET }) =>
  target.call('challenge', { body: body as never });
const MINT_REQUEST = { mint: WALLET, destination: WALLET, amount: 18_446_744_073_709_551_615n } as never;
const issue = () => api().call('issue', { body: MINT_REQUEST, idempotencyKey: 'key-12345' });

describe('a site behind another origin', () => {
  it('is called at baseUrl, with the origin as the header', async () => {
    answers = [NOBODY];
    await api(undefined, { origin: 'https://app.example' }).call('session', {});
    expect(requests.map(({ headers }) => headers.origin)).toEqual(['https://app.example']);
  });
});

describe('an answer', () => {
  it('is decoded: decimal strings become bigint', async () => {
    answers = [json(CHALLENGE)];
    expect(await challenge()).toMatchObject({ expiresAt: 1_763_640_000n });
  });

  it.each<[string, Answer]>([
    ['invalid JSON', answer(200, JSON_TYPE, '<html>')],
    ['another type', answer(200, { 'content-type': 'text/html' }, '{}')],
    ['no body', answer(204)],
    ['another shape', json({ challengeId: 7 })],
    ['a number where a decimal string must be', json({ ...CHALLENGE, expiresAt: 1 })],
    ['an error without a body', answer(400, {}, 'oops')],
    ['an unknown error code', failure('WHATEVER', 400)],
    ['a redirect', answer(307, { location: '/elsewhere' })],
    ['invalid UTF-8', answer(200, JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]))],
  ])('with %s is rejected without a retry', async (_name, received) => {
    answers = [received];
    const error = { name: 'ServiceError', code: 'UNEXPECTED_RESPONSE' };
    await expect(challenge()).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });

  it('is read only up to the limit', async () => {
    let sent = 0;
    function* spaces() {
      for (; sent < 4 * MAX_RESPONSE_BYTES; sent += 1024 * 1024) yield Buffer.alloc(1024 * 1024, ' ');
      yield '{}';
    }
    answers = [(_request, response) => void Readable.from(spaces()).pipe(response.writeHead(200, JSON_TYPE))];
    await expect(api().call('session', {})).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(sent).toBeLessThan(3 * MAX_RESPONSE_BYTES);
  });

  it('with an error has its code, status and request id', async () => {
    answers = [failure('NOT_ISSUER', 403)];
    const error = { code: 'NOT_ISSUER', status: 403, requestId: 'req-1', retryable: false };
    await expect(issue()).rejects.toMatchObject(error);
  });
});

describe('a request', () => {
  it('is encoded: bigint becomes a decimal string, and the key and the Origin are sent', async () => {
    answers = [failure('NOT_ISSUER', 403)];
    await issue().catch(() => undefined);
    expect(JSON.parse(requests[0]!.body)).toMatchObject({ amount: '18446744073709551615' });
    expect(requests[0]!.headers).toMatchObject({ 'idempotency-key': 'key-12345', origin: server.origin });
  });

  it.each([
    ['wallet', { wallet: 'nobody' }],
    ['an unknown field', { wallet: WALLET, admin: true }],
  ])('that is malformed (%s) is not sent', async (_name, body) => {
    answers = [json(CHALLENGE)];
    await expect(challenge(api(), body)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(requests).toEqual([]);
  });

  it('keeps an operation id inside its path', async () => {
    answers = [failure('NOT_FOUND', 404)];
    const call = api().call('operation', { id: '../config?x=1' });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(requests[0]!.url).toBe('/api/operations/..%2Fconfig%3Fx%3D1');
  });
});

describe('retries', () => {
  it.each(['RATE_LIMITED', 'INDEX_STALE'])('repeat a POST after %s with the same key', async (code) => {
    const status = code === 'RATE_LIMITED' ? 429 : 503;
    answers = [failure(code, status, { 'retry-after': '0' }), failure('NOT_ISSUER', 403)];
    await expect(issue()).rejects.toMatchObject({ code: 'NOT_ISSUER' });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-12345', 'key-12345']);
    expect(requests[1]!.body).toBe(requests[0]!.body);
  });

  it('end with the service’s own error', async () => {
    answers = [failure('RATE_LIMITED', 429, { 'retry-after': '0' })];
    const error = { code: 'RATE_LIMITED', retryable: true };
    await expect(challenge(api({ limit: 2 }))).rejects.toMatchObject(error);
    expect(requests).toHaveLength(3);
  });

  it('do not wait for a long Retry-After', async () => {
    answers = [failure('RATE_LIMITED', 429, { 'retry-after': '3600' })];
    await expect(challenge()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['UNAVAILABLE', failure('UNAVAILABLE', 503, { 'retry-after': '0' })],
    ['INTERNAL', failure('INTERNAL', 500)],
    ['a gateway’s 502', answer(502)],
    ['a broken connection', brokenConnection],
  ])('never repeat a POST after %s', async (_name, received) => {
    answers = [received];
    await expect(challenge()).rejects.toMatchObject({ name: 'ServiceError' });
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['a broken connection', brokenConnection],
    ['a gateway’s 502', answer(502)],
    ['INDEX_STALE', failure('INDEX_STALE', 503, { 'retry-after': '0' })],
  ])('repeat a GET after %s', async (_name, received) => {
    answers = [received, NOBODY];
    await expect(api().call('session', {})).resolves.toEqual({ wallet: null });
    expect(requests).toHaveLength(2);
  });
});

describe('the clock of a client', () => {
  it.each<[string, Answer, number]>([
    ['a broken connection', brokenConnection, 300],
    ['a gateway’s 502', answer(502), 300],
    ['INDEX_STALE', failure('INDEX_STALE', 503, { 'retry-after': '20' }), 20_000],
    ['RATE_LIMITED', failure('RATE_LIMITED', 429, {}), 1_000],
    ['a gateway’s 429', answer(429, { 'retry-after': '7' }), 7_000],
  ])('waits before the retry after %s', async (_name, received, expected) => {
    const pauses: number[] = [];
    const clock: Clock = { ...machineClock, pause: async (milliseconds) => void pauses.push(milliseconds) };
    answers = [received, NOBODY];
    await expect(api(undefined, { clock }).call('session', {})).resolves.toEqual({ wallet: null });
    expect(pauses).toEqual([expected]);
  });

  it('limits a call', async () => {
    answers = [() => undefined];
    const limits: number[] = [];
    const clock: Clock = { ...machineClock, limit: async (milliseconds) => void limits.push(milliseconds) };
    await expect(api({ timeoutMs: 5_000 }, { clock }).call('session', {})).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    expect(limits).toHaveLength(1);
  });
});

describe('a gateway’s own page', () => {
  const body = { operationId: ID, transaction: 'AAAA' };
  const calls: [string, (target: Api) => Promise<unknown>][] = [
    ['GET', (target) => target.call('session', {})],
    ['submit', (target) => target.call('submit', { body })],
  ];
  const pages = [
    [429, 'text/html', 200, 'RATE_LIMITED'],
    [500, 'text/plain', 200, 'UNAVAILABLE'],
    [503, 'text/html', 200_000, 'UNAVAILABLE'],
    [503, 'application/json', 200_000, 'UNAVAILABLE'],
    [403, 'text/html', 200, 'UNEXPECTED_RESPONSE'],
  ] as const;

  it.each(calls.flatMap(([name, call]) => pages.map((each) => [name, ...each, call] as const)))(
    'ends a %s with %d %s of %d bytes at once as %s, and nothing else',
    async (_name, status, type, bytes, code, call) => {
      answers = [answer(status, { 'content-type': type }, 'x'.repeat(bytes))];
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      try {
        const controller = new AbortController();
        const options = { limit: 1, timeoutMs: 1_000 };
        await expect(call(api(options))).rejects.toMatchObject({ code, status });
        const late = api(options).call('session', { signal: controller.signal });
        setTimeout(() => controller.abort(), 20);
        await late.catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(unhandled).not.toHaveBeenCalled();
      } finally {
        process.off('unhandledRejection', unhandled);
      }
    },
  );
});

describe('the session', () => {
  it('is kept per client, replaced, and dropped', async () => {
    const session = (wallet: string | null, ...cookies: string[]) =>
      json({ wallet }, 200, { 'set-cookie': cookies });
    answers = [
      session(WALLET, 'other=1; Path=/', 'session=abc; HttpOnly; SameSite=Lax'),
      session(WALLET, '__Host-session=def; HttpOnly; Secure'),
      session(null, '__Host-session=; Max-Age=0'),
      session(null),
    ];
    const one = api();
    for (let call = 0; call < 4; call += 1) await one.call('session', {});
    const cookies = requests.map(({ headers }) => headers.cookie);
    expect(cookies).toEqual([undefined, 'session=abc', '__Host-session=def', undefined]);
    answers = [session(WALLET, 'session=abc')];
    await one.call('session', {});
    await api().call('session', {});
    expect(requests.at(-1)!.headers.cookie).toBeUndefined();
  });

  it('is not in an error', async () => {
    answers = [json({ wallet: WALLET }, 200, { 'set-cookie': 'session=s3cret' }), failure('NOT_FOUND', 404)];
    const one = api();
    await one.call('session', {});
    const error: unknown = await one.call('operation', { id: 'x' }).catch((thrown: unknown) => thrown);
    expect(requests.at(-1)!.headers.cookie).toBe('session=s3cret');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret');

    await server.close();
    const broken: unknown = await challenge(one).catch((thrown: unknown) => thrown);
    expect(broken).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(inspect(broken, { depth: 10, showHidden: true })).not.toContain('s3cret');
  });
});

describe('a time limit or an abort', () => {
  it('ends a call without an answer', async () => {
    answers = [() => undefined];
    await expect(api({ timeoutMs: 50 }).call('session', {})).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('ends a call whose fetch ignores its signal, before and during an answer', async () => {
    const stalled = new Response(new ReadableStream(), { headers: JSON_TYPE });
    for (const response of [new Promise<Response>(() => {}), Promise.resolve(stalled)]) {
      const hanging = (timeoutMs?: number) =>
        api(timeoutMs ? { timeoutMs } : undefined, { fetch: () => response });
      await expect(hanging(20).call('session', {})).rejects.toMatchObject({ code: 'TIMEOUT' });
      const controller = new AbortController();
      const call = hanging().call('session', { signal: controller.signal });
      controller.abort();
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    }
  });

  it('ends a body that never ends', async () => {
    answers = [(_request, response) => void response.writeHead(200, JSON_TYPE).write('{')];
    await expect(api({ timeoutMs: 80 }).call('session', {})).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('ends a call while it waits to retry, and leaves no listener', async () => {
    answers = [failure('RATE_LIMITED', 429, { 'retry-after': '10' })];
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const call = () => api().call('session', { signal: controller.signal });
    const calling = call();
    setTimeout(() => controller.abort(), 30);
    await expect(calling).rejects.toMatchObject({ code: 'ABORTED' });
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
    await expect(call()).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

import { request as httpRequest } from 'node:http';
import { FILE_ROUTES, REQUEST_ID_HEADER, ROUTES, type Route, type RouteName } from '@service/contract';
import { describe, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { createApp } from './app.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { defineRoute } from './routing/define-route.ts';

const world = testWorld({ program: false });

const posts = Object.entries(ROUTES as Record<RouteName, Route>).filter(
  ([, { method }]) => method === 'POST',
);
const json = { 'Content-Type': 'application/json' };
const OTHER_ORIGINS = [
  'https://other.example',
  'null',
  'https://site.example:8443',
  'http://site.example',
  '',
];
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the Origin', () => {
  test.each(posts)('of another site is rejected: %s', async (_name, { path }) => {
    const visitor = await world.visitor();
    for (const origin of OTHER_ORIGINS) {
      const refused = await visitor.post(path, {}, { Origin: origin });
      expect(refused, origin).toMatchObject({ status: 403, code: 'ORIGIN_MISMATCH' });
    }
  });

  test.each(posts)('is required, except for the webhook: %s', async (_name, { path, access }) => {
    const visitor = await world.visitor();
    const answer = await visitor.send(path, { method: 'POST', body: '{}', headers: json });
    if (access === 'hmac') expect(answer.body).not.toMatchObject({ error: { code: 'ORIGIN_MISMATCH' } });
    else expect(answer).toMatchObject({ status: 403, code: 'ORIGIN_MISMATCH' });
  });
});

test('the checks of a request run in the documented order', async () => {
  const visitor = await world.visitor();
  const oversized = JSON.stringify({ name: 'x'.repeat(32_768) });
  const ask = (headers: Record<string, string>, body: string) =>
    visitor.send('/api/rules', { method: 'POST', headers: { ...json, ...headers }, body });
  const own = { Origin: visitor.origin };
  const invalid = (part: string) => ({ code: 'INVALID_REQUEST', message: expect.stringContaining(part) });
  expect((await ask({ Origin: 'https://other.example' }, oversized)).code).toBe('ORIGIN_MISMATCH');
  expect((await ask(own, oversized)).code).toBe('PAYLOAD_TOO_LARGE');
  expect(await ask(own, '{')).toMatchObject(invalid('JSON'));
  expect((await ask(own, '{"more":1}')).code).toBe('AUTHENTICATION_REQUIRED');
  await visitor.signIn();
  for (const key of [undefined, 'short77', 'x'.repeat(101), 'with space', 'umlaut-\u00e4\u00e4']) {
    const refused = await ask(key ? { ...own, 'Idempotency-Key': key } : own, '{"more":1}');
    expect(refused.code, key).toBe('IDEMPOTENCY_KEY_REQUIRED');
  }
  const refused = await ask({ ...own, 'Idempotency-Key': 'enough-8' }, '{"more":1}');
  expect(refused).toMatchObject(invalid('body.name'));
});

test('an idempotency key has 8 to 100 letters, digits, _ and -', async () => {
  const visitor = await world.signedIn();
  const codeOf = async (key: string) => (await visitor.prepare('/api/rules', {}, key)).code;
  const digits = '0123456789';
  const every = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${digits}_-`;
  // The key is valid, so the next check rejects the body.
  for (const key of ['x'.repeat(8), 'x'.repeat(100), every, '________', '--------']) {
    expect(await codeOf(key), key).toBe('INVALID_REQUEST');
  }
  for (const key of ['', 'x'.repeat(7), 'x'.repeat(101)])
    expect(await codeOf(key), key).toBe('IDEMPOTENCY_KEY_REQUIRED');
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
  for (const character of [...printable.filter((each) => !every.includes(each)), '\u00e4', '\u00ff'])
    expect(await codeOf(`xxxx${character}xxxx`), character).toBe('IDEMPOTENCY_KEY_REQUIRED');
});

describe('a body', () => {
  test('must be declared as JSON and be UTF-8', async () => {
    const visitor = await world.visitor();
    const send = (body: string | Uint8Array<ArrayBuffer>, type: string) => {
      const headers = { Origin: visitor.origin, 'Content-Type': type };
      return visitor.send('/api/auth/challenge', { method: 'POST', body, headers });
    };
    const wallet = JSON.stringify({ wallet: visitor.address });
    expect((await send(wallet, 'text/plain')).code).toBe('INVALID_REQUEST');
    expect((await send(Buffer.from([0x22, 0xff, 0x22]), 'application/json')).code).toBe('INVALID_REQUEST');
    expect((await send(wallet, 'application/json; charset=utf-8')).status).toBe(200);
  });

  test('must not have an unknown field, which the error names', async () => {
    const visitor = await world.visitor();
    const refused = await visitor.post('/api/auth/challenge', { wallet: visitor.address, walet: 1 });
    const message = expect.stringContaining('"walet"');
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', message });
  });

  test('of undeclared length is rejected when it exceeds the limit', async () => {
    const visitor = await world.visitor();
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(4_096))),
    });
    const headers = { ...json, Origin: visitor.origin };
    const init = { method: 'POST', body, duplex: 'half', headers } as RequestInit;
    expect(await visitor.send('/api/auth/challenge', init)).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
  });
});

describe('a path', () => {
  test('of an operation may contain anything', async () => {
    const visitor = await world.signedIn();
    for (const id of ['%00', '%ff', '%ED%A0%80', '..%2f..', "'", '%F0%9F%92%A9', 'none']) {
      expect(await visitor.get(`/api/operations/${id}`), id).toMatchObject(NOT_FOUND);
    }
  });

  test('that is unknown is counted too', async () => {
    const database = await openTestDatabase();
    const another = await world.another({ database });
    const visitor = await world.visitor(another);
    const nothing = (method = 'GET', path = '/api/nothing') => visitor.send(path, { method });
    for (const answer of [await nothing(), await nothing('GET', '/'), await nothing('OPTIONS')])
      expect(answer).toMatchObject(NOT_FOUND);
    for (let count = 3; count < RATE_LIMITS.address.points; count++)
      await another.service.limits.takeAddress('in-process', null);
    expect(await nothing()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    await another.close();
    await database.close();
  });
});

describe('a method', () => {
  const paths = new Map<string, Set<string>>();
  for (const { path, method } of [
    ...Object.values(ROUTES),
    ...Object.values(FILE_ROUTES).map(({ path }) => ({ path, method: 'GET' })),
  ]) {
    const filled = path.replaceAll(/\{\w+\}/g, 'a.b%2Fc');
    paths.set(filled, (paths.get(filled) ?? new Set()).add(method));
  }
  const ask = async (path: string, method: string) => {
    const response = await world.created.app.request(path, { method });
    const text = await response.text();
    return { response, text, allow: response.headers.get('allow') };
  };

  test.each([...paths])(
    'that the path does not have is refused with those that it has: %s',
    async (path, own) => {
      const isGet = own.has('GET');
      const expected = [...(isGet ? ['GET', 'HEAD'] : []), ...(own.has('POST') ? ['POST'] : []), 'OPTIONS'];
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !own.has(method),
      );
      for (const method of others) {
        const { response, text, allow } = await ask(path, method);
        expect(response.status, method).toBe(405);
        expect(allow, method).toBe(expected.join(', '));
        expect(JSON.parse(text), method).toEqual({
          error: {
            code: 'METHOD_NOT_ALLOWED',
            message: `The path does not have this method. Use ${allow}.`,
            requestId: response.headers.get(REQUEST_ID_HEADER),
          },
        });
      }
      if (!isGet) expect(await ask(path, 'HEAD')).toMatchObject({ response: { status: 405 }, text: '' });
    },
  );

  test.each([...paths.keys()])(
    'OPTIONS returns the methods, and allows no other origin: %s',
    async (path) => {
      const headers = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'POST' };
      const response = await world.created.app.request(path, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toMatch(/OPTIONS$/);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('HEAD returns the status and headers of GET without a body', async () => {
    for (const path of ['/api/health/live', '/api/config', '/api/docs', '/api/passport']) {
      const [head, get] = [await ask(path, 'HEAD'), await ask(path, 'GET')];
      expect(head.text, path).toBe('');
      expect(head.response.status, path).toBe(get.response.status);
      expect(head.response.headers.get('content-type'), path).toBe(get.response.headers.get('content-type'));
    }
  });

  test.each([
    '/api/config/',
    '/api/operations',
    '/api/operations/',
    '/api/operations/a/b',
    '/API/config',
    '/api/docsXcss',
  ])('of an unknown path is NOT_FOUND: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
      const { response, allow } = await ask(path, method);
      expect(response.status, method).toBe(404);
      expect(allow, method).toBeNull();
    }
  });
});

describe('pages of a site', () => {
  const withPages = async () => {
    const asked: string[] = [];
    const { app } = await world.another({
      async pages({ method, url }) {
        asked.push(`${method} ${new URL(url).pathname}`);
        if (url.endsWith('/nothing')) return null;
        return new Response('<h1>dApp</h1>', { status: 203, headers: { 'content-type': 'text/html' } });
      },
    });
    return { asked, request: async (path: string, method = 'GET') => app.request(path, { method }) };
  };

  test('are served with the headers of the service', async () => {
    const { request } = await withPages();
    const response = await request('/any/where');
    expect([response.status, await response.text()]).toEqual([203, '<h1>dApp</h1>']);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get(REQUEST_ID_HEADER)).toMatch(/^[\da-f-]{36}$/);
    const head = await request('/', 'HEAD');
    expect([head.status, await head.text()]).toEqual([203, '']);
  });

  test('do not change the responses of the service', async () => {
    const { asked, request } = await withPages();
    const unknown = ['/api', '/api/nothing', '/api/config/', '/artifacts', '/artifacts/a', '/artifacts/a/b'];
    for (const path of unknown) expect((await request(path)).status, path).toBe(404);
    expect((await request('/api/config')).status).toBe(200);
    expect((await request('/api/config', 'PUT')).status).toBe(405);
    for (const method of ['POST', 'PUT', 'OPTIONS']) expect((await request('/', method)).status).toBe(404);
    expect(asked).toEqual([]);
    const missing = await request('/nothing');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(asked).toEqual(['GET /nothing']);
  });
});

test('a visitor who disconnects during a body is not logged as an error', async () => {
  const another = await world.another();
  const { port } = await another.listen({ port: 0 });
  const from = world.logged.length;
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/auth/challenge',
    headers: { ...json, Origin: world.created.service.settings.origin, 'Content-Length': 200 },
  });
  request.on('error', () => undefined);
  await new Promise((resolve) => void request.write('{"wallet"', resolve));
  // When a later connection gets its response, the headers of this request have arrived.
  await fetch(`http://127.0.0.1:${port}/api/health/live`);
  request.destroy();
  const lines = () => parsed(world.logged.slice(from));
  await vi.waitFor(() => expect(lines().filter(({ route }) => route === 'challenge')).toHaveLength(1));
  expect(lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  await another.close();
});

test('every response forbids content sniffing', async () => {
  const visitor = await world.visitor();
  for (const path of ['/api/config', '/api/passport', '/api/nothing', '/artifacts/none/none', '/api/docs']) {
    const { headers } = await world.created.app.request(path);
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
  }
  expect((await visitor.post('/api/auth/logout', {})).headers.get('x-content-type-options')).toBe('nosniff');
});

describe('an error', () => {
  test('has the documented shape and the id of its request', async () => {
    const visitor = await world.visitor();
    const first = await visitor.get('/api/passport');
    const requestId = first.headers.get(REQUEST_ID_HEADER);
    expect(first.body).toEqual({
      error: { code: 'AUTHENTICATION_REQUIRED', message: expect.any(String), requestId },
    });
    expect((await visitor.get('/api/passport')).headers.get(REQUEST_ID_HEADER)).not.toBe(requestId);
    expect(await visitor.get('/api/nothing')).toMatchObject(NOT_FOUND);
  });

  test('of the RPC is UNAVAILABLE, whatever its kind', async () => {
    const visitor = await world.signedIn();
    for (const how of ['unavailable', 'unreachable'] as const) {
      world.net.pause(how);
      const answer = await visitor.get('/api/network');
      expect(answer, how).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });
});

test('every request is one log line with its route and result, and without secrets', async () => {
  const visitor = await world.signedIn();
  const [signature, challengeId] = [await visitor.sign('sentinel'), crypto.randomUUID()];
  const from = world.logged.length;
  const answers = [
    await visitor.get('/api/auth/session'),
    await visitor.get('/api/passport?sentinel=1'),
    await visitor.post('/api/transactions/submit', { operationId: 'sentinel', transaction: signature }),
    await visitor.post('/api/auth/verify', { challengeId, wallet: visitor.address, signature }),
    await visitor.post('/api/verifier/webhook', { sentinel: 1 }, { 'webhook-signature': `v1,${signature}` }),
    await visitor.prepare('/api/rules', { sentinel: 1 }, 'sentinel-key'),
    await visitor.get('/api/sentinel-path'),
  ];
  const text = world.logged.slice(from).join('');
  const requests = parsed(world.logged.slice(from)).filter(({ msg }) => msg === 'request');
  expect(requests).toMatchObject(
    [
      ['GET', 'session'],
      ['GET', 'passport'],
      ['POST', 'submit'],
      ['POST', 'verify'],
      ['POST', 'webhook'],
      ['POST', 'createRuleSet'],
      ['GET', undefined],
    ].map(([method, route], index) => {
      const { status, code, headers } = answers[index]!;
      const always = { method, status, milliseconds: expect.any(Number) };
      const optional = { ...(route ? { route } : {}), ...(code ? { code } : {}) };
      return { ...always, ...optional, requestId: headers.get(REQUEST_ID_HEADER) };
    }),
  );
  const known = 'level time pid hostname requestId method path route status milliseconds code msg'.split(' ');
  for (const line of requests) expect(known).toEqual(expect.arrayContaining(Object.keys(line)));
  expect(text.replace('/api/sentinel-path', '')).not.toContain('sentinel');
  for (const secret of [visitor.cookie!.split('=')[1]!, signature]) expect(text).not.toContain(secret);
});

describe('a response', () => {
  test('that does not fit its schema is never sent', async () => {
    const app = createApp(world.created.service.log);
    defineRoute(app, world.created.service, 'session', () => ({ wallet: 'not an address' }) as never);
    const response = await app.request('/api/auth/session');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('not an address');
  });

  test('of a route with HMAC needs the signature, whatever its handler does', async () => {
    const app = createApp(world.created.service.log);
    defineRoute(app, world.created.service, 'webhook', () => ({ received: true }));
    const response = await app.request('/api/verifier/webhook', { method: 'POST' });
    expect(response.status).toBe(401);
  });
});

test('too many sign-ins from one address are RATE_LIMITED, with the time to wait', async () => {
  // PostgreSQL shares the counts, so requests of other tests would count too.
  const database = await openTestDatabase();
  const another = await world.another({ database });
  const visitor = await world.visitor(another);
  const ask = () => visitor.post('/api/auth/challenge', { wallet: visitor.address });
  for (let count = 0; count < RATE_LIMITS.signIn.points; count++) expect((await ask()).status).toBe(200);
  const limited = { status: 429, code: 'RATE_LIMITED' };
  const refused = await ask();
  expect(refused).toMatchObject(limited);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // The rate limit is checked before everything else.
  const otherOrigin = { Origin: 'https://other.example' };
  expect(await visitor.post('/api/auth/challenge', {}, otherOrigin)).toMatchObject(limited);
  // Other requests of the address are still allowed.
  expect((await visitor.get('/api/auth/session')).status).toBe(200);
  if (database.pool) {
    const replica = await world.visitor(await world.another({ database }));
    const answer = await replica.post('/api/auth/challenge', { wallet: replica.address });
    expect(answer).toMatchObject(limited);
  }
  await another.close();
  await database.close();
});

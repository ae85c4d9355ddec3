import { connect } from 'node:net';
import { EVENT_STREAMS } from '@service/contract';
import type { Visitor, World } from '@service/server/test-service';
import { beforeEach, describe, expect, test } from 'vitest';
import { readStream } from '../../../test/support/events/stream-reader.ts';
import { BACKEND, cookie, namesOf, streamService } from '../../../test/support/events/stream-service.ts';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import { HEARTBEAT_MS } from './event-streams.ts';

const TOKEN = BACKEND.Authorization.replace('Bearer ', '');
const service = streamService();
const { add, beat, open, openStreams, poll, request, streams } = service;
let world: World;
let alice: Visitor;
let bob: Visitor;
beforeEach(() => {
  ({ world, alice, bob } = service);
});

describe('a stream of a session', () => {
  test('has the events of its wallet that come after it began, as the standard says', async () => {
    await add(alice, 'before');
    const response = await request(cookie(alice));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const stream = readStream(response);
    streams.push(stream);
    const [id] = await add(alice, 'a');
    await add(bob, 'of bob');
    await add(alice, 'b');
    await poll();
    const [first, second] = await stream.readUntil(2);
    expect(first).toMatchObject({
      id,
      event: 'credential.issued',
      data: { id: id!.split('-')[0], wallet: alice.address, data: { name: 'a' } },
    });
    expect(second).toMatchObject({ data: { data: { name: 'b' } } });
  });

  test('never shows events of another wallet: new, old, after an event of another wallet, or with a wrong token', async () => {
    await add(alice, 'own');
    const [idOfBob] = await add(bob, 'secret of bob');
    const opened = [
      await open(cookie(alice)),
      await open(cookie(alice), '?after=oldest'),
      await open(cookie(alice), `?after=${idOfBob}`),
      await open({ ...cookie(alice), 'Last-Event-ID': idOfBob! }),
    ];
    await add(bob, 'another secret of bob');
    await add(alice, 'last');
    await poll();
    for (const [index, stream] of opened.entries()) {
      // An event of another wallet is the same as one that does not exist.
      const expected = index === 0 ? ['last'] : ['own', 'last'];
      expect(namesOf(await stream.readUntil(expected.length))).toEqual(expected);
    }
    for (const stream of opened)
      expect(stream.messages.every(({ data }) => data.wallet === alice.address)).toBe(true);
    const wrong = await request({ ...cookie(alice), Authorization: 'Bearer wrong' });
    expect(wrong.status).toBe(401);
    expect((await request(cookie(alice), `?wallet=${bob.address}`)).status).toBe(400);
  });

  test('ends when the wallet signs out, before the next event', async () => {
    const stream = await open(cookie(alice));
    const other = await open(cookie(bob));
    await alice.post('/api/auth/logout', {});
    await add(alice, 'after the sign-out');
    await add(bob, 'b');
    await poll();
    await stream.readToEnd();
    expect(stream.messages).toEqual([]);
    expect(namesOf(await other.readUntil(1))).toEqual(['b']);
  });

  test('ends when another wallet signs in with the same browser, and without an event at the next heartbeat', async () => {
    const stream = await open(cookie(alice));
    bob.cookie = alice.cookie;
    await bob.signIn();
    await beat(HEARTBEAT_MS);
    await stream.readToEnd();
    expect(stream.messages).toEqual([]);
  });

  test('ends with the session', async () => {
    const stream = await open(cookie(alice));
    await beat(12 * 3_600_000);
    await stream.readToEnd();
    expect((await request(cookie(alice))).status).toBe(401);
  });
});

describe('a stream of the backend', () => {
  test('has the events of all wallets, in the order of their commits', async () => {
    const stream = await open(BACKEND);
    await add(alice, 'a');
    await add(bob, 'b');
    await add(alice, 'c');
    await poll();
    expect(namesOf(await stream.readUntil(3))).toEqual(['a', 'b', 'c']);
  });

  test.each([
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN} ${TOKEN}`,
  ])('needs the whole token (%s)', async (authorization) => {
    const response = await request({ Authorization: authorization });
    expect(response.status).toBe(401);
    expect(await openStreams()).toBe(0);
  });

  test('is refused if no token is set', async () => {
    const other = await world.another({ events: {} });
    for (const headers of [BACKEND, { Authorization: 'Bearer undefined' }, { Authorization: 'Bearer ' }]) {
      expect((await other.app.request('/api/events', { headers })).status).toBe(401);
    }
  });
});

describe('a stream that resumes', () => {
  test('has each event after the last one, by header or query, and then the new ones', async () => {
    const ids = await add(alice, 'a', 'b', 'c');
    for (const [headers, query] of [
      [{ 'Last-Event-ID': ids[0]! }, ''],
      [{}, `?after=${ids[0]}`],
      // A browser that reconnects repeats the query of its first request.
      [{ 'Last-Event-ID': ids[0]! }, '?after=oldest'],
    ] as const) {
      const stream = await open({ ...BACKEND, ...headers }, query);
      expect(namesOf(await stream.readUntil(2))).toEqual(['b', 'c']);
    }
    await add(bob, 'd');
    await poll();
    for (const stream of streams) expect(namesOf(await stream.readUntil(3))).toEqual(['b', 'c', 'd']);
  });

  test('begins with the oldest event if the last one was deleted', async () => {
    await add(alice, 'a', 'b');
    const stream = await open(BACKEND, `?after=evt_${'0'.repeat(32)}-1`);
    expect(namesOf(await stream.readUntil(2))).toEqual(['a', 'b']);
  });

  test.each(['none', 'evt_', `evt_${'0'.repeat(32)}`, `EVT_${'0'.repeat(32)}-1`, '5'])(
    'is refused after a malformed id (%s)',
    async (id) => {
      expect((await request({ ...BACKEND, 'Last-Event-ID': id })).status).toBe(400);
      expect((await request(BACKEND, `?after=${id}`)).status).toBe(400);
    },
  );
});

describe('the streams of a process', () => {
  test('have one query for each poll, and none without a stream', async () => {
    let queries = 0;
    const { db } = world.database;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const other = await world.another({ database: { ...world.database, db: counting } });
    queries = 0;
    await other.service.streams.poll();
    expect(queries).toBe(0);
    const opened = await Promise.all(
      [1, 2, 3].map(() => other.app.request('/api/events', { headers: BACKEND })),
    );
    queries = 0;
    await other.service.streams.poll();
    expect(queries).toBe(1);
    for (const { body } of opened) await body?.cancel();
    await other.close();
  });

  test('send a comment every 15 seconds', async () => {
    const stream = await open(BACKEND);
    await beat(HEARTBEAT_MS);
    await beat(0);
    await beat(HEARTBEAT_MS);
    while (stream.comments.length < 2 && (await stream.read()));
    await add(alice, 'end');
    await poll();
    await stream.readUntil(1);
    expect(stream.comments).toHaveLength(2);
  });

  test('have limits for each wallet, for the backend and for all; a closed one makes room', async () => {
    const responses = await Promise.all(
      Array.from({ length: EVENT_STREAMS.wallet + 1 }, () => request(cookie(alice))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    const opened = responses.filter(({ status }) => status === 200).map(readStream);
    streams.push(...opened);
    await open(cookie(bob));
    expect(await openStreams()).toBe(EVENT_STREAMS.wallet + 1);
    await opened[0]!.cancel();
    await open(cookie(alice));
    for (let count = 0; count < EVENT_STREAMS.backend; count += 1) await open(BACKEND);
    expect((await request(BACKEND)).status).toBe(429);
  });

  test('are not opened by HEAD', async () => {
    expect((await request(BACKEND, '', 'HEAD')).status).toBe(200);
    expect(await openStreams()).toBe(0);
  });

  test('end at once at shutdown, over HTTP too, and no other is opened', async () => {
    const other = await world.another();
    const { url } = await other.listen({ port: 0 });
    const stream = readStream(await fetch(`${url}/api/events`, { headers: BACKEND }));
    await add({ address: randomAddress() }, 'over http');
    await other.service.streams.poll();
    expect(namesOf(await stream.readUntil(1))).toEqual(['over http']);
    const began = performance.now();
    await other.close({ graceMs: 60_000 });
    expect(performance.now() - began).toBeLessThan(5_000);
    await stream.readToEnd();
    const refused = await other.app.request('/api/events', { headers: BACKEND });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('forget a reader that disconnects', async () => {
    const other = await world.another();
    const { port } = await other.listen({ port: 0 });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    await new Promise((resolve) => void socket.once('data', resolve));
    const { registry } = other.service.metrics;
    const count = async () =>
      (await registry.getSingleMetric('service_event_streams')!.get()).values[0]?.value;
    expect(await count()).toBe(1);
    socket.destroy();
    while ((await count()) !== 0) await new Promise((resolve) => setImmediate(resolve));
    await other.close();
  });
});

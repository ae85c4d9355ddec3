import { connect } from 'node:net';
import { EVENT_STREAMS } from '@service/contract';
import { startWorld, type Visitor, type World } from '@service/test-support/service';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStream, type StreamReader } from '../../../test/support/events/stream-reader.ts';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import { writeEvents } from '../write.ts';
import { HEARTBEAT_MS } from './event-streams.ts';
import { MAX_BUFFERED_BYTES } from './stream.ts';

const TOKEN = 'the-token-of-the-backend-of-a-dapp';
const BACKEND = { Authorization: `Bearer ${TOKEN}` };

let world: World;
let alice: Visitor;
let bob: Visitor;
const streams: StreamReader[] = [];
beforeAll(async () => {
  world = await startWorld({ program: false, events: { token: TOKEN } });
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const stream of streams.splice(0)) await stream.cancel().catch(() => undefined);
  await sql`truncate event`.execute(world.database.db);
  [alice, bob] = [await (await world.visitor()).signIn(), await (await world.visitor()).signIn()];
});

const service = () => world.created.service;
/** Writes events with these names. Returns their ids. */
async function add(visitor: { address: string }, ...names: string[]): Promise<string[]> {
  const { db } = world.database;
  const events = names.map((name) => ({
    wallet: visitor.address as never,
    type: 'credential.issued' as const,
    cause: `${visitor.address} ${name}`,
    data: JSON.stringify({ name }),
  }));
  await writeEvents(db, events);
  const rows = await db.selectFrom('event').select(['id', 'cause']).execute();
  return events.map(({ cause }) => rows.find((row) => row.cause === cause)!.id);
}

const request = (headers: Record<string, string>, query = '', method = 'GET') =>
  world.created.app.request(`/api/events${query}`, { method, headers });
const cookie = (visitor: Visitor) => ({ Cookie: visitor.cookie! });

async function open(headers: Record<string, string>, query = ''): Promise<StreamReader> {
  const stream = readStream(await request(headers, query));
  streams.push(stream);
  return stream;
}
const poll = () => service().streams.poll();
const namesOf = (messages: readonly { data: { data: Record<string, unknown> } }[]) =>
  messages.map(({ data }) => data.data.name);
const openStreams = async () => {
  const { values } = await service().metrics.registry.getSingleMetric('service_event_streams')!.get();
  return values[0]?.value;
};

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
      data: { id, wallet: alice.address, data: { name: 'a' } },
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
    world.clock.ms += HEARTBEAT_MS;
    await service().streams.beat();
    await stream.readToEnd();
    expect(stream.messages).toEqual([]);
  });

  test('ends with the session', async () => {
    const stream = await open(cookie(alice));
    world.clock.ms += 12 * 3_600_000;
    await service().streams.beat();
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
    const stream = await open(BACKEND, `?after=evt_${'0'.repeat(32)}`);
    expect(namesOf(await stream.readUntil(2))).toEqual(['a', 'b']);
  });

  test('has every event once, in order, while others are written and polled', async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `${index}`);
    await add(alice, ...names.slice(0, 1_100));
    await open(BACKEND);
    const stream = await open(BACKEND, '?after=oldest');
    const reading = stream.readUntil(1_200);
    for (let start = 1_100; start < 1_200; start += 10) {
      await add(alice, ...names.slice(start, start + 10));
      await poll();
    }
    expect(namesOf(await reading)).toEqual(names);
  });

  test('has an event that a poll sees before the stream has caught up', async () => {
    // The buffer is full, so the stream waits for its reader.
    const large = 'x'.repeat(8_192);
    const old = Array.from({ length: 40 }, (_, index) => `${index} ${large}`);
    await add(alice, ...old);
    const stream = await open(BACKEND, '?after=oldest');
    await add(alice, 'between');
    await poll();
    expect(namesOf(await stream.readUntil(41))).toEqual([...old, 'between']);
  });

  test.each(['none', 'evt_', `EVT_${'0'.repeat(32)}`, '5'])(
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
    const beat = () => service().streams.beat();
    world.clock.ms += HEARTBEAT_MS;
    await beat();
    await beat();
    world.clock.ms += HEARTBEAT_MS;
    await beat();
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

  test('cut a slow reader, which resumes without a loss, and serve the others', async () => {
    const slow = await request(BACKEND);
    const fast = await open(BACKEND);
    const large = 'x'.repeat(8_192);
    const count = Math.ceil((2 * MAX_BUFFERED_BYTES) / large.length);
    const names = Array.from({ length: count }, (_, index) => `${index} ${large}`);
    for (let start = 0; start < count; start += 8) {
      await add(alice, ...names.slice(start, start + 8));
      await poll();
      await fast.readUntil(Math.min(start + 8, count));
    }
    expect(namesOf(fast.messages)).toEqual(names);
    await expect(readStream(slow).readToEnd()).rejects.toThrow('too slow');
    expect(await openStreams()).toBe(1);
    const resumed = await open({ ...BACKEND, 'Last-Event-ID': fast.messages[2]!.id });
    expect(namesOf(await resumed.readUntil(count - 3))).toEqual(names.slice(3));
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

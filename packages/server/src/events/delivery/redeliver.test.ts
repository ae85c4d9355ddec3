import { startWorld, type World } from '@service/server/test-service';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver, status } from '../../../test/support/events/receiver.ts';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import type { CreatedService } from '../../create-service.ts';
import { writeEvents } from '../write.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;

let world: World;
let receiver: Receiver;
let service: CreatedService;
let url: string;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld({ program: false }), startReceiver(SECRET)]);
  service = await world.another({ events: { url: receiver.url, secrets: [SECRET] } });
  ({ url } = await service.listenMetrics({ port: 0 }));
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});
beforeEach(async () => {
  await sql`truncate event`.execute(world.database.db);
  receiver.respond = status(204);
  receiver.received.length = 0;
});

/** Writes three events of a new wallet, recorded at these Unix seconds. */
async function add(...seconds: readonly number[]): Promise<void> {
  const { db } = world.database;
  const wallet = randomAddress();
  for (const second of seconds) {
    const cause = `${wallet} ${second}`;
    await writeEvents(db, [{ wallet, type: 'credential.issued', cause, data: JSON.stringify({ second }) }]);
    await sql`update event set created_at = ${second * 1_000} where cause = ${cause}`.execute(db);
  }
}

const received = () => receiver.received.map(({ event }) => event.data.second);
const request = async (
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => {
  const response = await fetch(`${url}/redeliver`, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
};

test('events since a time are sent again, in the order of their wallet, with the same ids', async () => {
  await add(100, 200, 300);
  await service.tick();
  const ids = receiver.received.map(({ id }) => id);
  expect(await request('{"since": "200"}')).toEqual({ status: 200, body: { events: 2 } });
  await service.tick();
  await service.tick();
  expect(received()).toEqual([100, 200, 300, 200, 300]);
  expect(receiver.received.slice(3).map(({ id }) => id)).toEqual(ids.slice(1));
});

test('more events than one statement changes are all sent again', async () => {
  const { db } = world.database;
  await sql`
    insert into event (wallet, type, cause, data) select 'w', 'credential.issued', n::text, '{}'
    from generate_series(1, 1001) n`.execute(db);
  await sql`update event set delivered_at = 1`.execute(db);
  expect(await request('{"since": "0"}')).toEqual({ status: 200, body: { events: 1_001 } });
  const { rows } = await sql<{ due_at: bigint }>`
    select due_at from event where delivered_at is null order by position limit 2`.execute(db);
  expect(rows[0]?.due_at).toBe(0n);
  expect(rows[1]?.due_at).toBeGreaterThan(0n);
});

test('without a time, what waits for a retry is due at once', async () => {
  receiver.respond = status(500);
  await add(100, 200);
  await service.tick();
  await service.tick();
  expect(received()).toEqual([100]);
  receiver.respond = status(204);
  expect(await request('{}')).toEqual({ status: 200, body: { events: 1 } });
  await service.tick();
  expect(received()).toEqual([100, 100, 200]);
});

test('the next event of a wallet is due when the first is deleted', async () => {
  receiver.respond = status(500);
  await add(100, 200);
  await service.tick();
  await sql`delete from event where created_at = 100000`.execute(world.database.db);
  receiver.respond = status(204);
  await service.tick();
  expect(received()).toEqual([100, 200]);
});

test.each([
  ['no JSON', 'since=200', undefined],
  ['a wrong time', '{"since": "yesterday"}', undefined],
  ['what a page of another site can send', '{}', { 'content-type': 'text/plain' }],
  [
    'a request of a web page whose host name resolves to this machine',
    '{}',
    { 'content-type': 'application/json', origin: 'http://page.example:9464' },
  ],
  ['a large body', `{"since": "200"${' '.repeat(100_000)}}`, undefined],
])('rejects %s', async (_what, body, headers) => {
  const refused = await request(body, headers);
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({
    error: { message: expect.stringContaining('Content-Type: application/json') },
  });
});

test('a service without a receiver names the variable to set', async () => {
  const other = await world.another();
  const listener = await other.listenMetrics({ port: 0 });
  const response = await fetch(`${listener.url}/redeliver`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('EVENTS_URL');
});

import { startWorld, type World } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { crashingProcess } from '../../../test/support/crash-injection.ts';
import { type Receiver, startReceiver, status } from '../../../test/support/events/receiver.ts';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import { newSignal } from '../../../test/support/signal.ts';
import { writeEvents } from '../write.ts';
import { startEventDelivery } from './deliver.ts';
import { DELIVERY_LEASE_MS, NEVER, RETRY_DELAYS_MS, RETRY_JITTER } from './queue.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 4).toString('base64')}`;

let world: World;
let receiver: Receiver;
let settings: { url: string; secrets: readonly string[] };
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld({ program: false }), startReceiver(SECRET)]);
  settings = { url: receiver.url, secrets: [SECRET] };
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

/** Writes events with these names, of a new wallet by default. Returns the wallet. */
async function add(names: readonly string[], wallet: Address = randomAddress()): Promise<Address> {
  const events = names.map((name) => ({
    wallet,
    type: 'credential.issued' as const,
    cause: `${wallet} ${name}`,
    data: JSON.stringify({ name }),
  }));
  await writeEvents(world.database.db, events);
  return wallet;
}

const rows = () => world.database.db.selectFrom('event').selectAll().orderBy('position').execute();
const names = () => receiver.received.map(({ event }) => event.data.name);
const countOf = async (result: string) => {
  const { registry } = world.created.service.metrics;
  const { values } = await registry.getSingleMetric('service_event_deliveries_total')!.get();
  return values.find(({ labels }) => labels.result === result)?.value;
};

/** Runs a step of a process that delivers. */
async function deliver(service = world.created.service, to = settings): Promise<void> {
  const work = startEventDelivery(service, to);
  try {
    await work.tick();
  } finally {
    await work.stop();
  }
}

describe('a webhook', () => {
  test('has the event, its id and an authentic signature, and is sent once', async () => {
    const wallet = await add(['a']);
    await deliver();
    await deliver();
    const [row] = await rows();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ id: row?.id, isAuthentic: true });
    expect(receiver.received[0]?.event).toEqual({
      id: row?.id,
      type: 'credential.issued',
      createdAt: expect.stringMatching(/^\d+$/),
      wallet,
      data: { name: 'a' },
    });
    expect(row?.delivered_at).not.toBeNull();
  });

  test('is signed with both secrets during a rotation', async () => {
    await add(['a']);
    await deliver(undefined, { ...settings, secrets: [OLD_SECRET, SECRET] });
    expect(receiver.received[0]).toMatchObject({ isAuthentic: true, signatures: { length: 2 } });
  });

  test('goes to a service that has a receiver, at each of its steps', async () => {
    const service = await world.another({ events: settings });
    await add(['a']);
    await service.tick();
    expect(names()).toEqual(['a']);
    await service.close();
  });
});

describe('a receiver that does not accept an event', () => {
  test.each([
    ['HTTP 500', status(500)],
    ['HTTP 410', status(410)],
    ['HTTP 400', status(400)],
    ['unexpected redirect', status(302, { Location: '/hooks' })],
    ['UND_ERR_SOCKET', (_webhook, response) => response.destroy()],
  ] satisfies [string, Receiver['respond']][])(
    'because of %s gets it again later, with the same id and body',
    async (reason, respond) => {
      const from = world.logged.length;
      receiver.respond = respond;
      await add(['a']);
      await deliver();
      await deliver();
      expect(receiver.received).toHaveLength(1);
      receiver.respond = status(200);
      world.clock.ms += RETRY_DELAYS_MS[0]! * (1 + RETRY_JITTER);
      await deliver();
      const [first, second, ...others] = receiver.received;
      expect(others).toEqual([]);
      expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
      expect((await rows())[0]).toMatchObject({ attempts: 1, delivered_at: BigInt(world.clock.ms) });
      const lines = world.logged.slice(from).join('\n');
      expect(lines).toContain(`"reason":"${reason}"`);
      expect(lines).not.toMatch(/SECRET-KEY|whsec_/);
    },
  );

  test('follows the schedule of Standard Webhooks, then tries once a day', async () => {
    receiver.respond = status(500);
    await add(['a']);
    const before = (await countOf('failed')) ?? 0;
    for (const delay of [...RETRY_DELAYS_MS, RETRY_DELAYS_MS.at(-1)!]) {
      await deliver();
      const due = Number((await rows())[0]?.due_at) - world.clock.ms;
      expect(due).toBeGreaterThanOrEqual(delay);
      expect(due).toBeLessThanOrEqual(delay * (1 + RETRY_JITTER));
      world.clock.ms += due - 1;
      const sent = receiver.received.length;
      await deliver();
      expect(receiver.received).toHaveLength(sent);
      world.clock.ms += 1;
    }
    expect(await countOf('failed')).toBe(before + RETRY_DELAYS_MS.length + 1);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  test('delays the later events of that wallet, which keep their order, and no other wallet', async () => {
    const wallet = await add(['first', 'second']);
    receiver.respond = ({ event }, response) =>
      response.writeHead(event.data.name === 'first' ? 503 : 200).end();
    await deliver();
    await add(['third'], wallet);
    const dues = (await rows()).map(({ due_at }) => due_at);
    expect(dues[0]).toBeGreaterThan(0n);
    // No delivery looks at the others until the first one is accepted.
    expect(dues.slice(1)).toEqual([NEVER, NEVER]);
    await add(['other']);
    await deliver();
    expect(names()).toEqual(['first', 'other']);
    receiver.respond = status(200);
    world.clock.ms += RETRY_DELAYS_MS[0]! * (1 + RETRY_JITTER);
    await deliver();
    expect(names()).toEqual(['first', 'other', 'first', 'second', 'third']);
  });

  test('because it is down is logged once, and once when it is up again', async () => {
    receiver.respond = (_webhook, response) => response.destroy();
    for (let count = 0; count < 5; count += 1) await add(['a', 'b']);
    const from = world.logged.length;
    const work = startEventDelivery(world.created.service, settings);
    await work.tick();
    receiver.respond = status(200);
    world.clock.ms += RETRY_DELAYS_MS[0]! * (1 + RETRY_JITTER);
    await work.tick();
    await work.stop();
    const lines = world.logged.slice(from).filter((line) => line.includes('receiver'));
    expect(lines).toEqual([
      expect.stringContaining('the receiver did not accept an event'),
      expect.stringContaining('the receiver accepts events again'),
    ]);
    expect(names().slice(5).sort()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b']);
  });

  test('of some wallets only is logged at most once a minute in each direction', async () => {
    receiver.respond = ({ event }, response) =>
      response.writeHead(event.data.name === 'refused' ? 400 : 204).end();
    const from = world.logged.length;
    const work = startEventDelivery(world.created.service, settings);
    const minutes = 3;
    for (let seconds = 0; seconds < minutes * 60; seconds += 10) {
      for (const name of ['refused', 'accepted']) {
        await add([name]);
        await work.tick();
      }
      world.clock.ms += 10_000;
    }
    await work.stop();
    const lines = world.logged.slice(from).filter((line) => line.includes('the receiver '));
    const failed = expect.stringContaining('"reason":"HTTP 400"');
    const accepted = expect.stringMatching(/"failures":\d+,.*"the receiver accepts events again"/);
    expect(lines).toEqual(Array.from({ length: minutes }, () => [failed, accepted]).flat());
  });
});

describe('a receiver that hangs', () => {
  test('delays neither other wallets nor other work, and shutdown aborts the request', async () => {
    const service = await world.another({ events: settings });
    const [hung, sent] = [newSignal(), newSignal()];
    receiver.respond = ({ event }, response) => {
      if (event.data.name === 'hangs') return hung.reach();
      response.writeHead(200).end();
      sent.reach();
    };
    const wallet = await add(['hangs', 'later']);
    await add(['other']);
    const work = startEventDelivery(service.service, settings);
    const step = work.tick().catch(() => undefined);
    await Promise.all([hung.reached, sent.reached]);
    // The service delivers the rest at the same time, and another process does not repeat what hangs.
    await deliver();
    expect(names().sort()).toEqual(['hangs', 'other']);
    await service.close({ graceMs: 0 });
    await step;
    await work.stop();
    const own = (await rows()).filter((row) => row.wallet === wallet);
    expect(own.map(({ delivered_at }) => delivered_at)).toEqual([null, null]);
  });

  test('in the body of its answer has accepted the event', async () => {
    receiver.respond = (_webhook, response) => {
      response.writeHead(200).write('x'.repeat(10_000));
    };
    await add(['a']);
    await deliver();
    expect((await rows())[0]?.delivered_at).not.toBeNull();
  });
});

describe('several processes', () => {
  test('share the events, and send each once and in the order of its wallet', async () => {
    const wallets = await Promise.all([1, 2, 3, 4].map(() => add(['1', '2', '3', '4', '5'])));
    const others = await Promise.all([1, 2].map(async () => world.another({ database: world.database })));
    await Promise.all([deliver(), ...others.map(({ service }) => deliver(service))]);
    expect(receiver.received).toHaveLength(20);
    for (const wallet of wallets) {
      const own = receiver.received.filter(({ event }) => event.wallet === wallet);
      expect(own.map(({ event }) => event.data.name)).toEqual(['1', '2', '3', '4', '5']);
    }
  });

  test('take over the event of a process that crashed while it sent it, with the same id', async () => {
    let crashes = 0;
    for (let calls = 0; ; calls += 1) {
      const wallet = await add(['a', 'b']);
      const from = receiver.received.length;
      const process = crashingProcess(world, { afterwards: false });
      const { service } = await world.another({ database: process.database });
      process.crashAfter(calls);
      await deliver(service).catch(() => undefined);
      world.clock.ms += DELIVERY_LEASE_MS;
      await deliver();
      const own = receiver.received.slice(from);
      const byName = (name: string) =>
        own.filter(({ event }) => event.wallet === wallet && event.data.name === name);
      expect(new Set(byName('a').map(({ id }) => id)).size, `killed at call ${calls}`).toBe(1);
      expect(new Set(byName('b').map(({ id }) => id)).size).toBe(1);
      // The first delivery of each is in order.
      expect(own.indexOf(byName('a')[0]!)).toBeLessThan(own.indexOf(byName('b')[0]!));
      expect((await rows()).every(({ delivered_at }) => delivered_at !== null)).toBe(true);
      if (!process.hasCrashed) break;
      crashes += 1;
    }
    expect(crashes).toBeGreaterThanOrEqual(5);
  });

  test('do not send the next event before the first is accepted, even if its lease expires', async () => {
    const [held, resumed] = [newSignal(), newSignal()];
    let isFirst = true;
    receiver.respond = async (_webhook, response) => {
      const mine = isFirst;
      isFirst = false;
      if (mine) {
        held.reach();
        await resumed.reached;
      }
      response.writeHead(mine ? 500 : 200).end();
    };
    await add(['first', 'second']);
    const slow = deliver();
    await held.reached;
    await deliver();
    expect(names()).toEqual(['first']);
    world.clock.ms += DELIVERY_LEASE_MS;
    await deliver();
    expect(names()).toEqual(['first', 'first', 'second']);
    resumed.reach();
    await slow;
    // The late failure of the first process changes nothing.
    for (const row of await rows())
      expect(row).toMatchObject({ attempts: 0, delivered_at: BigInt(world.clock.ms) });
  });
});

import { startWorld, type World } from '@service/server/test-service';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver, status } from '../../../test/support/events/receiver.ts';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import { writeEvents } from '../write.ts';
import { startEventDelivery } from './deliver.ts';
import { PROBE_MS } from './outage.ts';
import { RETRY_DELAYS_MS } from './queue.ts';

const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld({ program: false }), startReceiver(SECRET)]);
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});
beforeEach(async () => {
  await sql`truncate event`.execute(world.database.db);
  receiver.respond = status(503);
  receiver.received.length = 0;
});

/** Writes an event of each of some new wallets, as often as `each` says. */
async function add(wallets: number, each = 1): Promise<void> {
  const addresses = Array.from({ length: wallets }, randomAddress);
  for (let number = 0; number < each; number += 1) {
    await writeEvents(
      world.database.db,
      addresses.map((wallet) => ({
        wallet,
        type: 'credential.issued' as const,
        cause: `${wallet} ${number}`,
        data: JSON.stringify({ number }),
      })),
    );
  }
}

/** Starts a process that delivers. `tick` moves the clock and runs a step; it returns how many deliveries came. */
function startProcess() {
  const work = startEventDelivery(world.created.service, { url: receiver.url, secrets: [SECRET] });
  return {
    stop: () => work.stop(),
    async tick(ms = SECOND): Promise<number> {
      const before = receiver.received.length;
      world.clock.ms += ms;
      await work.tick();
      return receiver.received.length - before;
    },
  };
}

describe('a receiver that is down', () => {
  test('gets one delivery in five seconds, and the whole backlog as soon as it accepts one', async () => {
    const [wallets, each] = [60, 5];
    await add(wallets, each);
    const process = startProcess();
    // Eight run at the same time when the third failure ends the first step.
    expect(await process.tick()).toBeLessThanOrEqual(2 + 8);
    const counts: number[] = [];
    for (let seconds = 1; seconds <= 60; seconds += 1) counts.push(await process.tick());
    expect(counts.filter((count) => count > 0)).toEqual(Array.from({ length: 60 / 5 }, () => 1));

    receiver.respond = status(204);
    receiver.received.length = 0;
    expect(await process.tick(PROBE_MS)).toBe(wallets * each);
    await process.stop();
    const last = new Map<string, unknown>();
    for (const { event } of receiver.received) {
      expect(event.data.number).toBe(((last.get(event.wallet) as number | undefined) ?? -1) + 1);
      last.set(event.wallet, event.data.number);
    }
    expect(last.size).toBe(wallets);
  });

  test('does not move events along their schedule', async () => {
    await add(20);
    const process = startProcess();
    for (let seconds = 0; seconds < 60; seconds += 1) await process.tick();
    await process.stop();
    const { rows } = await sql<{
      attempts: number;
    }>`select attempts from event order by attempts desc`.execute(world.database.db);
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1, ...Array.from({ length: 17 }, () => 0)]);
  });

  test('gets what waited for a late retry when it accepts a new event', async () => {
    await add(2);
    const process = startProcess();
    for (const delay of RETRY_DELAYS_MS.slice(0, 4)) await process.tick(1.1 * delay);
    expect(await process.tick(HOUR)).toBe(0);
    receiver.respond = status(204);
    await add(1);
    expect(await process.tick(0)).toBe(3);
    await process.stop();
  });
});

test('an event that alone is refused keeps its schedule while others are accepted', async () => {
  receiver.respond = ({ event }, response) => response.writeHead(event.data.number === 1 ? 400 : 204).end();
  await add(1, 2);
  const process = startProcess();
  await process.tick();
  const refusals = () => receiver.received.filter(({ event }) => event.data.number === 1).length;
  for (let seconds = 0; seconds < 240; seconds += 30) {
    await add(1);
    await process.tick(30 * SECOND);
  }
  await process.stop();
  // At once, and 5 seconds later. The next retry is 5 minutes after that.
  expect(refusals()).toBe(2);
});

test('events that the receiver refuses for their content do not delay those of other wallets', async () => {
  const good = randomAddress();
  receiver.respond = ({ event }, response) => response.writeHead(event.wallet === good ? 204 : 422).end();
  await add(30);
  await writeEvents(world.database.db, [
    { wallet: good, type: 'credential.issued', cause: good, data: JSON.stringify({ number: 0 }) },
  ]);
  const process = startProcess();
  expect(await process.tick()).toBe(31);
  await process.stop();
});

test('a response whose body never ends does not delay the next delivery', async () => {
  const open: unknown[] = [];
  receiver.respond = (_webhook, response) => {
    open.push(response);
    response.writeHead(200).write('{');
  };
  await add(20, 2);
  const process = startProcess();
  expect(await process.tick()).toBe(40);
  await process.stop();
  expect(open).toHaveLength(40);
});

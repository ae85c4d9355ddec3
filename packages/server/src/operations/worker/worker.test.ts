import { ruleSetBody } from '@service/server/test-service';
import { type KyselyPlugin, type RawBuilder, RawNode, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sampledNumbers } from '../../../../../test/support/sample.ts';
import { crashingProcess } from '../../../test/support/crash-injection.ts';
import { resultOf, rpcAround, rpcThatRecords } from '../../../test/support/rpc-around.ts';
import { newSignal } from '../../../test/support/signal.ts';
import { type Owned, testWorld } from '../../../test/support/test-world.ts';
import { LEASE_MS } from '../../database/lease.ts';
import { startWorker } from './worker.ts';

const world = testWorld();
const { queued } = world;
const expectState = async (operation: Owned, state: string) =>
  expect(await world.operation(operation)).toMatchObject({ state });
const isOnChain = async ({ rule }: Owned) => (await world.account('ruleSet', rule)) !== null;

test('an operation goes from QUEUED over SUBMITTED to FINALIZED, and is FINALIZED at finality only', async () => {
  const operation = await queued();
  await world.created.tick();
  await expectState(operation, 'SUBMITTED');
  world.net.advanceSlots(3);
  await world.created.tick();
  await expectState(operation, 'SUBMITTED');
  const { slot } = world.net;
  world.net.advanceSlots(1);
  await world.created.tick();
  expect(await world.operation(operation)).toMatchObject({ state: 'FINALIZED', slot: `${slot - 3n}` });
  expect(await isOnChain(operation)).toBe(true);
});

test('an operation is FINALIZED before it is indexed, with `indexed: false`', async () => {
  const operation = await queued();
  const worker = startWorker(world.created.service);
  await worker.tick();
  world.net.finalize();
  await worker.tick();
  expect(await world.operation(operation)).toMatchObject({ state: 'FINALIZED', indexed: false });
  await world.created.tick();
  expect(await world.operation(operation)).toMatchObject({ state: 'FINALIZED', indexed: true });
  await worker.stop();
});

test('an operation that fails on chain is FAILED, with the instruction and the name of the program error', async () => {
  // Two drafts of one rule set: the address already exists when the second one lands.
  const visitor = await world.signedIn();
  const body = ruleSetBody();
  const first = await visitor.prepare('/api/rules', body);
  const second = await visitor.prepare('/api/rules', body);
  await world.finish(visitor, first);
  expect(await world.finish(visitor, second)).toMatchObject({
    state: 'FAILED',
    slot: expect.stringMatching(/^\d+$/),
    failure: {
      reason: 'ON_CHAIN_ERROR',
      instruction: 1,
      programError: { code: 6008, name: 'ALREADY_INITIALIZED' },
      message: 'The account already exists.',
    },
  });
});

test('a lost transaction is broadcast again as the same bytes', async () => {
  const operation = await queued();
  world.net.dropTransactions(true);
  await world.created.tick();
  await world.created.tick();
  await expectState(operation, 'SUBMITTED');
  world.net.dropTransactions(false);
  await world.settle();
  await expectState(operation, 'FINALIZED');
});

test('without an RPC an operation stays QUEUED or becomes UNRESOLVED, and continues when the RPC is back', async () => {
  const [waiting, sent] = [await queued(), await queued()];
  const worker = startWorker(world.created.service);
  await worker.tick();
  const later = await queued();
  const expectStates = async (ofSent: string, ofLater: string) => {
    await expectState(sent, ofSent);
    await expectState(later, ofLater);
  };
  world.net.pause('unreachable');
  for (const [ms, ofSent, ofLater] of [
    [0, 'SUBMITTED', 'QUEUED'],
    [29_000, 'SUBMITTED', 'QUEUED'],
    [2_000, 'UNRESOLVED', 'QUEUED'],
  ] as const) {
    world.clock.ms += ms;
    await worker.tick().catch(() => undefined);
    await expectStates(ofSent, ofLater);
  }
  world.net.resume();
  world.clock.ms += 60_000;
  await worker.tick();
  world.net.finalize();
  world.clock.ms += 60_000;
  await worker.tick();
  await expectStates('FINALIZED', 'FINALIZED');
  await expectState(waiting, 'FINALIZED');
  await worker.stop();
});

test('an outage of the RPC is logged once for each kind of work, and once when it ends', async () => {
  const sent = await queued();
  const worker = startWorker(world.created.service);
  await worker.tick();
  await queued();
  world.net.pause('unreachable');
  const from = world.logged.length;
  for (let poll = 0; poll < 10; poll += 1) {
    await worker.tick();
    world.clock.ms += 1_000;
  }
  world.net.resume();
  world.clock.ms += 60_000;
  await worker.tick();
  const lines = world.logged.slice(from);
  const messages = lines.map((line) => String(JSON.parse(line).msg));
  for (const work of ['broadcasting an operation', 'reading signature statuses']) {
    expect(messages.filter((message) => message.startsWith(work))).toEqual([
      `${work} has no connection; the service retries, and logs when this works again`,
      `${work} works again`,
    ]);
  }
  expect(lines.join()).not.toContain('"stack"');
  world.net.finalize();
  world.clock.ms += 60_000;
  await worker.tick();
  await expectState(sent, 'FINALIZED');
  await worker.stop();
});

test('another RPC gets a broadcast that the service’s own does not answer', async () => {
  const own = rpcAround(world.net, (call, method) => {
    if (method === 'sendTransaction') throw new TypeError('fetch failed');
    return call();
  });
  const service = await world.another({ rpc: own, otherRpcs: [world.rpc] });
  const operation = await queued();
  await startWorker(service.service).tick();
  await expectState(operation, 'SUBMITTED');
  expect(service.service.failures.failing()).toEqual([]);
  await world.settle();
  await expectState(operation, 'FINALIZED');
});

test('a lease whose release fails is released by the next step, and does not wait until it expires', async () => {
  const { database } = world;
  let isBroken = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (isBroken && RawNode.is(node) && node.sqlFragments.join('').includes('set lease_owner = null'))
        throw Object.assign(new Error('a broken connection'), { code: '08006' });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const other = await world.another({ database: { ...database, db: database.db.withPlugin(plugin) } });
  const worker = startWorker(other.service);
  const operation = await queued();
  isBroken = true;
  await worker.tick();
  await expectState(operation, 'SUBMITTED');
  expect(await world.row(operation.id)).toMatchObject({ lease_owner: expect.any(String) });
  isBroken = false;
  world.net.finalize();
  await worker.tick();
  await expectState(operation, 'FINALIZED');
});

test('the statements of a step do not depend on the number of operations', async () => {
  const { database } = world;
  const texts: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      texts.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = await world.another({ database: { ...database, db: database.db.withPlugin(plugin) } });
  const worker = startWorker(counted.service);
  /** Broadcasts and settles some operations. Returns the number of statements. */
  const statementsFor = async (count: number) => {
    for (let each = 0; each < count; each += 1) await queued();
    texts.length = 0;
    await worker.tick();
    world.net.finalize();
    world.clock.ms += 1_000;
    await worker.tick();
    return texts.length;
  };
  const [one, five] = [await statementsFor(1), await statementsFor(5)];
  expect(one).toBeGreaterThan(5);
  expect(five).toBe(one);
});

test('an operation that cannot be settled does not delay others, and is settled later', async () => {
  const [broken, ...others] = await Promise.all([queued(), queued(), queued()]);
  const worker = startWorker(world.created.service);
  await worker.tick();
  world.net.finalize();
  const { db } = world.database;
  const run = (statement: RawBuilder<unknown>) => statement.execute(db);
  await run(sql`create function refuse() returns trigger language plpgsql as $$
    begin raise 'this row is broken'; end $$`);
  await run(sql`create trigger refuse before update on operation for each row
    when (new.id = ${sql.lit(broken!.id)} and new.state = 'FINALIZED') execute function refuse()`);
  await worker.tick();
  for (const other of others) await expectState(other, 'FINALIZED');
  await expectState(broken!, 'SUBMITTED');
  expect(world.logged.filter((line) => line.includes('could not record the result'))).toEqual([
    expect.stringContaining(`"operationId":"${broken!.id}"`),
  ]);
  await run(sql`drop function refuse cascade`);
  await worker.tick();
  await expectState(broken!, 'FINALIZED');
  await worker.stop();
});

describe('several workers', () => {
  test('broadcast each operation once', async () => {
    const operations = await Promise.all([queued(), queued(), queued(), queued()]);
    const sent: string[] = [];
    const workers = await Promise.all(
      [0, 1].map(async () => {
        const process = crashingProcess(world, { afterwards: false });
        const service = (await world.another({ database: process.database })).service;
        return startWorker({ ...service, rpc: rpcThatRecords(world.net, sent) });
      }),
    );
    await Promise.all(workers.map((worker) => worker.tick()));
    expect(sent).toHaveLength(4);
    expect(new Set(sent).size).toBe(4);
    await world.finalize();
    for (const operation of operations) await expectState(operation, 'FINALIZED');
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  test('change nothing after their lease expired', async () => {
    const operation = await queued();
    const { service } = await world.another();
    // The first broadcast of this worker waits until another worker has done all the work.
    const [held, resumed] = [newSignal(), newSignal()];
    const rpc = rpcAround(world.net, async (call, method) => {
      if (method !== 'sendTransaction') return call();
      held.reach();
      await resumed.reached;
      return resultOf(null);
    });
    const slow = startWorker({ ...service, rpc });
    const step = slow.tick();
    await held.reached;
    await world.created.tick();
    await expectState(operation, 'QUEUED');
    world.clock.ms += LEASE_MS;
    await world.created.tick();
    await expectState(operation, 'SUBMITTED');
    const before = await world.row(operation.id);
    resumed.reach();
    await step;
    expect(await world.row(operation.id)).toEqual(before);
    await world.finalize();
    await expectState(operation, 'FINALIZED');
    await slow.stop();
  });
});

describe('a worker that is killed', () => {
  test.each([
    ['before', false],
    ['right after', true],
  ])(
    '%s any of its calls leaves an operation that another worker finishes when the lease expires',
    async (_when, afterwards) => {
      const visitor = await world.signedIn();
      for (const calls of sampledNumbers()) {
        const operation = await queued(visitor);
        const process = crashingProcess(world, { afterwards });
        const { service } = await world.another({ database: process.database, rpc: process.rpc });
        const worker = startWorker(service);
        process.crashAfter(calls);
        await worker.tick().catch(() => undefined);
        world.net.finalize();
        if (!process.hasCrashed) await worker.tick().catch(() => undefined);
        await worker.stop();
        if (process.hasCrashed) world.clock.ms += LEASE_MS;
        await world.settle();
        const { state } = await world.operation(operation);
        expect(state, `killed at call ${calls}`).toBe('FINALIZED');
        expect(await isOnChain(operation)).toBe(true);
        if (process.hasCrashed) continue;
        // Two steps: lease, rows, broadcast, transition, release; lease, rows, statuses, transition, answer, release.
        expect(calls).toBeGreaterThanOrEqual(11);
        break;
      }
    },
  );
});

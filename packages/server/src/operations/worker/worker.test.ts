import { readAccount } from '@service/protocol';
import { ruleSetBody, startWorld, type Visitor, type World } from '@service/test-support/service';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { crashingProcess } from '../../../test/support/crash-injection.ts';
import { LEASE_MS } from '../../database/lease.ts';
import { startWorker } from './worker.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => {
  world.net.resume();
  world.net.dropTransactions(false);
});
afterAll(() => world.close());

async function queued(by?: Visitor): Promise<{ visitor: Visitor; id: string; rule: string }> {
  const visitor = by ?? (await (await world.visitor()).signIn());
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
  return { visitor, id: draft.body.operationId, rule: draft.body.rule };
}

const stateOf = async ({ visitor, id }: { visitor: Visitor; id: string }) =>
  (await visitor.operation(id)).body.state;
const isOnChain = async (rule: string) =>
  (await readAccount(
    { rpc: world.rpc, program: world.program, commitment: 'finalized' },
    'ruleSet',
    rule as never,
  )) !== null;

test('an operation goes from QUEUED over SUBMITTED to FINALIZED, and is FINALIZED at finality only', async () => {
  const operation = await queued();
  await world.created.tick();
  expect(await stateOf(operation)).toBe('SUBMITTED');
  world.net.advanceSlots(3);
  await world.created.tick();
  expect(await stateOf(operation)).toBe('SUBMITTED');
  const { slot } = world.net;
  world.net.advanceSlots(1);
  await world.created.tick();
  const { body } = await operation.visitor.operation(operation.id);
  expect(body).toMatchObject({ state: 'FINALIZED', slot: (slot - 3n).toString() });
  expect(await isOnChain(operation.rule)).toBe(true);
});

test('an operation is FINALIZED before it is indexed, with `indexed: false`', async () => {
  const operation = await queued();
  const worker = startWorker(world.created.service);
  await worker.tick();
  world.net.finalize();
  await worker.tick();
  expect((await operation.visitor.operation(operation.id)).body).toMatchObject({
    state: 'FINALIZED',
    indexed: false,
  });
  await world.created.tick();
  expect((await operation.visitor.operation(operation.id)).body).toMatchObject({
    state: 'FINALIZED',
    indexed: true,
  });
  await worker.stop();
});

test('an operation that fails on chain is FAILED, with the instruction and the name of the program error', async () => {
  // Two drafts of one rule set: the address already exists when the second one lands.
  const visitor = await (await world.visitor()).signIn();
  const body = ruleSetBody();
  const [first, second] = [
    await visitor.prepare('/api/rules', body),
    await visitor.prepare('/api/rules', body),
  ];
  await visitor.signAndSubmit(first);
  await world.created.tick();
  await world.finalize();
  await visitor.signAndSubmit(second);
  await world.created.tick();
  await world.finalize();
  expect((await visitor.operation(second.body.operationId)).body).toMatchObject({
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
  expect(await stateOf(operation)).toBe('SUBMITTED');
  world.net.dropTransactions(false);
  await world.created.tick();
  await world.finalize();
  expect(await stateOf(operation)).toBe('FINALIZED');
});

test('without an RPC an operation stays QUEUED or becomes UNRESOLVED, and continues when the RPC is back', async () => {
  const waiting = await queued();
  const sent = await queued();
  const worker = startWorker(world.created.service);
  await worker.tick();
  const later = await queued();
  world.net.pause('unreachable');
  await worker.tick().catch(() => undefined);
  expect([await stateOf(sent), await stateOf(later)]).toEqual(['SUBMITTED', 'QUEUED']);
  world.clock.ms += 29_000;
  await worker.tick().catch(() => undefined);
  expect([await stateOf(sent), await stateOf(later)]).toEqual(['SUBMITTED', 'QUEUED']);
  world.clock.ms += 2_000;
  await worker.tick().catch(() => undefined);
  expect([await stateOf(sent), await stateOf(later)]).toEqual(['UNRESOLVED', 'QUEUED']);
  world.net.resume();
  world.clock.ms += 60_000;
  await worker.tick();
  world.net.finalize();
  world.clock.ms += 60_000;
  await worker.tick();
  expect([await stateOf(waiting), await stateOf(sent), await stateOf(later)]).toEqual([
    'FINALIZED',
    'FINALIZED',
    'FINALIZED',
  ]);
  await worker.stop();
});

test('an operation that cannot be settled does not delay others, and is settled later', async () => {
  const [broken, ...others] = await Promise.all([queued(), queued(), queued()]);
  const worker = startWorker(world.created.service);
  await worker.tick();
  world.net.finalize();
  const { db } = world.database;
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'this row is broken'; end $$`.execute(
    db,
  );
  await sql`
    create trigger refuse before update on operation for each row
    when (new.id = ${sql.lit(broken!.id)} and new.state = 'FINALIZED') execute function refuse()`.execute(db);
  await worker.tick();
  for (const other of others) expect(await stateOf(other)).toBe('FINALIZED');
  expect(await stateOf(broken!)).toBe('SUBMITTED');
  expect(world.logged.filter((line) => line.includes('could not record the result'))).toEqual([
    expect.stringContaining(`"operationId":"${broken!.id}"`),
  ]);
  await sql`drop function refuse cascade`.execute(db);
  await worker.tick();
  expect(await stateOf(broken!)).toBe('FINALIZED');
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
        const rpc = new Proxy(service.rpc, {
          get: (target, method: 'sendTransaction') =>
            method === 'sendTransaction'
              ? (wire: string, config: never) => {
                  sent.push(wire);
                  return target.sendTransaction(wire as never, config);
                }
              : target[method],
        });
        return startWorker({ ...service, rpc });
      }),
    );
    await Promise.all(workers.map((worker) => worker.tick()));
    expect(sent).toHaveLength(4);
    expect(new Set(sent).size).toBe(4);
    await world.finalize();
    for (const operation of operations) expect(await stateOf(operation)).toBe('FINALIZED');
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  test('change nothing after their lease expired', async () => {
    const operation = await queued();
    const { service } = await world.another();
    // The first broadcast of this worker waits until another worker has done all the work.
    let resume = () => {};
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isHeld = () => {};
    const reached = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const rpc = new Proxy(service.rpc, {
      get: (target, method: 'sendTransaction') =>
        method === 'sendTransaction'
          ? () => ({
              send: async () => {
                isHeld();
                await held;
              },
            })
          : target[method],
    });
    const slow = startWorker({ ...service, rpc });
    const looking = slow.tick();
    await reached;
    await world.created.tick();
    expect(await stateOf(operation)).toBe('QUEUED');
    world.clock.ms += LEASE_MS;
    await world.created.tick();
    expect(await stateOf(operation)).toBe('SUBMITTED');
    const before = await rowOf(operation.id);
    resume();
    await looking;
    expect(await rowOf(operation.id)).toEqual(before);
    await world.finalize();
    expect(await stateOf(operation)).toBe('FINALIZED');
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
      let deaths = 0;
      const visitor = await (await world.visitor()).signIn();
      for (let calls = 0; ; calls++) {
        const operation = await queued(visitor);
        const process = crashingProcess(world, { afterwards });
        const { service } = await world.another({ database: process.database, rpc: process.rpc });
        const doomed = startWorker(service);
        process.dieAfter(calls);
        await doomed.tick().catch(() => undefined);
        world.net.finalize();
        if (!process.isDead) await doomed.tick().catch(() => undefined);
        await doomed.stop();
        if (process.isDead) {
          deaths += 1;
          world.clock.ms += LEASE_MS;
        }
        await world.created.tick();
        await world.finalize();
        expect(await stateOf(operation), `killed at call ${calls}`).toBe('FINALIZED');
        expect(await isOnChain(operation.rule)).toBe(true);
        if (!process.isDead) break;
      }
      // Two steps: lease, rows, broadcast, transition, release; lease, rows, statuses, transition, answer, release.
      expect(deaths).toBeGreaterThanOrEqual(11);
    },
  );
});

function rowOf(id: string) {
  return world.database.db.selectFrom('operation').selectAll().where('id', '=', id).executeTakeFirst();
}

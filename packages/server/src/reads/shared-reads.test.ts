import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rpcAround } from '../../test/support/rpc-around.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { type CreatedService, createService } from '../create-service.ts';
import { createSharedReads } from './shared-reads.ts';

const world = testWorld();
let site: CreatedService;
/** RPC calls since the test started. */
let calls = 0;
beforeAll(() => {
  const { service } = world.created;
  const rpc = rpcAround(world.net, (call) => {
    calls += 1;
    return call();
  });
  const { sharedReadMs: _, ...settings } = service.settings;
  site = createService({ ...service, database: world.database, rpc, settings });
});
beforeEach(() => {
  // Let the shared reads of the previous test expire.
  world.clock.ms += 1_000;
  calls = 0;
});
afterAll(() => site.close());

const get = async (path: string) => {
  const response = await site.app.request(path);
  return {
    status: response.status,
    body: (await response.json()) as { index: { slot: string }; checks: object; ruleSets: object[] },
  };
};

test.each(['/api/network', '/api/rules', '/api/health/ready'])(
  'requests within a second share one answer: %s',
  async (path) => {
    // The first request also asks for rents, which are kept longer.
    await get(path);
    world.clock.ms += 1_000;
    calls = 0;
    const first = await get(path);
    expect(first.status).toBe(200);
    const once = calls;
    expect(once).toBeGreaterThan(0);
    world.clock.ms += 1_000;
    const crowd = await Promise.all(Array.from({ length: 20 }, () => get(path)));
    expect(calls).toBe(2 * once);
    for (const answer of crowd) expect(answer).toEqual(first);
    world.clock.ms += 999;
    await get(path);
    expect(calls).toBe(2 * once);
    world.clock.ms += 1;
    await get(path);
    expect(calls).toBe(3 * once);
  },
);

test('another page is not shared, and a wrong one is rejected', async () => {
  const visitor = await world.signedIn();
  for (const _ of [1, 2]) await world.finish(visitor, await world.draft(visitor));
  world.clock.ms += 1_000;
  expect((await get('/api/rules')).body.ruleSets.length).toBeGreaterThan(1);
  expect((await get('/api/rules?limit=1')).body.ruleSets).toHaveLength(1);
  expect((await get('/api/rules?limit=501')).status).toBe(400);
});

test('an answer is never older than the index', async () => {
  const indexedSlot = async () => BigInt((await get('/api/rules')).body.index.slot);
  const before = await indexedSlot();
  const { ms } = world.clock;
  await world.finalize();
  world.clock.ms = ms;
  expect(await indexedSlot()).toBeGreaterThan(before);
});

test('a failure is not kept', async () => {
  world.net.pause('unreachable');
  for (const path of ['/api/network', '/api/rules']) expect((await get(path)).status, path).toBe(503);
  world.net.resume();
  for (const path of ['/api/network', '/api/rules']) expect((await get(path)).status, path).toBe(200);
});

test('a failing readiness is shared for a second', async () => {
  world.net.pause('unreachable');
  const first = await get('/api/health/ready');
  expect(first).toMatchObject({ status: 503, body: { status: 'failing', checks: { chain: false } } });
  const once = calls;
  expect(once).toBeGreaterThan(0);
  world.clock.ms += 999;
  const crowd = await Promise.all(Array.from({ length: 20 }, () => get('/api/health/ready')));
  for (const { status, body } of crowd) expect([status, body.checks]).toEqual([503, first.body.checks]);
  expect(calls).toBe(once);
  world.net.resume();
  world.clock.ms += 1;
  expect((await get('/api/health/ready')).status).toBe(200);
});

test('a visitor who disconnects does not abort a shared read', async () => {
  const leaving = new AbortController();
  const left = Promise.resolve(site.app.request('/api/network', { signal: leaving.signal }));
  const stayed = get('/api/network');
  leaving.abort();
  expect((await stayed).status).toBe(200);
  await left.catch(() => undefined);
});

test('an answer is not kept when the clock goes back, as after a failover', async () => {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  const shared = createSharedReads({ clock, signal: new AbortController().signal, settings: {} });
  let reads = 0;
  const read = () => shared('blockhash', async () => ++reads);
  await read();
  clock.ms -= 100_000;
  expect(await read()).toBe(2);
});

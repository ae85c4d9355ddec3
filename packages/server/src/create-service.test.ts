import { once } from 'node:events';
import { createServer } from 'node:http';
import { openPort } from '@service/process';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { expect, test, vi } from 'vitest';
import { closeServer, listenOnLoopback } from '../test/support/loopback.ts';
import { rpcAround } from '../test/support/rpc-around.ts';
import { newSignal } from '../test/support/signal.ts';
import { testWorld } from '../test/support/test-world.ts';
import { type CreateServiceOptions, createService } from './create-service.ts';
import { claimDatabase, DatabaseMismatchError } from './database/database.ts';

const world = testWorld({ program: false });

const OTHER_CLUSTER = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const create = (
  settings: Partial<CreateServiceOptions['settings']>,
  rpcs: Partial<Pick<CreateServiceOptions, 'rpc' | 'otherRpcs'>> = {},
) => {
  const { service } = world.created;
  const all = { ...service.settings, ...settings };
  return createService({ ...service, ...rpcs, database: world.database, settings: all });
};

test.each(['site.example', 'https://site.example/', 'https://site.example/path', '', 'https://SITE.example'])(
  'rejects an origin that no browser sends: %j',
  (origin) => {
    expect(() => create({ origin })).toThrow(RangeError);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'rejects a poll interval that is out of a timer’s range: %d ms',
  (pollIntervalMs) => {
    expect(() => create({ pollIntervalMs })).toThrow(RangeError);
  },
);

test('a service closes at once, even if the next poll is far away', async () => {
  const site = create({ pollIntervalMs: 2 ** 31 - 1 });
  await site.start();
  // Wait until the first poll, which starts with the service, has ended.
  await site.tick();
  await site.close();
  expect(site.service.signal.aborted).toBe(true);
});

test('with an infinite grace period, a pending request finishes', async () => {
  const [asked, released] = [newSignal(), newSignal()];
  const rpc = rpcAround(world.net, async (call) => {
    asked.reach();
    await released.reached;
    return call();
  });
  const site = create({}, { rpc });
  const { url } = await site.listen({ port: 0 });
  const answer = fetch(`${url}/api/network`);
  await asked.reached;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closing = site.close({ graceMs: Number.POSITIVE_INFINITY });
  vi.advanceTimersByTime(86_400_000);
  vi.useRealTimers();
  expect(site.service.signal.aborted).toBe(false);
  released.reach();
  expect((await answer).status).toBe(200);
  await closing;
});

test('a service does not start on another cluster than its settings say', async () => {
  const other = create({ genesisHash: OTHER_CLUSTER });
  await expect(other.start()).rejects.toThrow('another cluster');
  await other.close();
});

test('a service does not start on the database of another program, and the error says what to do', async () => {
  const { program, genesisHash } = world.created.service.settings;
  const { address: other } = await generateKeyPairSigner();
  const site = create({ program: other });
  await expect(site.start()).rejects.toMatchObject({
    name: 'DatabaseMismatchError',
    message: `The database belongs to the program ${program} on the cluster with the genesis hash ${genesisHash}, but the settings have the program ${other} on the cluster with the genesis hash ${genesisHash}. Correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or set DATABASE_URL or DATA_DIRECTORY to another database.`,
  });
  await site.close();
});

test('a service does not start on the database of another cluster, whatever its RPC says', async () => {
  const { settings } = world.created.service;
  const other = { ...settings, genesisHash: OTHER_CLUSTER };
  await expect(claimDatabase(world.database.db, other)).rejects.toThrow(DatabaseMismatchError);
  await claimDatabase(world.database.db, settings);
});

test('a service does not start with an RPC that is silent or down, and the error names the RPC', async () => {
  const [silent, down] = [createServer(() => undefined), createServer()];
  const rpcAt = (port: number) => createSolanaRpc(`http://127.0.0.1:${port}/?key=SECRET`);
  const rpc = rpcAt(await listenOnLoopback(silent));
  const port = await listenOnLoopback(down);
  await closeServer(down);
  const starts = async (...args: Parameters<typeof create>) => {
    const site = create(...args);
    await site.start({ timeoutMs: 50 }).finally(() => site.close());
  };
  const late = 'did not respond: no response within 0.05 s.';
  const unreachable = { name: 'UnreachableError', message: `The RPC ${late}` };
  await expect(starts({}, { rpc })).rejects.toMatchObject(unreachable);
  const others = { otherRpcs: [world.rpc, rpc] };
  await expect(starts({}, others)).rejects.toThrow(`RPC number 2 of the other RPCs ${late}`);
  await expect(starts({}, { rpc: rpcAt(port) })).rejects.toThrow(
    `The RPC did not respond: fetch failed (connect ECONNREFUSED 127.0.0.1:${port}).`,
  );
  silent.closeAllConnections();
  await closeServer(silent);
});

test('on any free port, the origin contains the port', async () => {
  const open = await openPort({ port: 0 });
  const origin = `http://localhost:${open.port}`;
  const site = create({ origin });
  const early = fetch(`${open.url}/api/auth/session`);
  await once(open.server, 'request');
  const { url } = await site.listen(open);
  expect((await early).status).toBe(200);
  const { address: wallet } = (await world.visitor()).signer;
  const accepted = await fetch(`${url}/api/auth/challenge`, {
    method: 'POST',
    body: JSON.stringify({ wallet }),
    headers: { Origin: origin, 'Content-Type': 'application/json' },
  });
  expect(accepted.status).toBe(200);
  const { message } = (await accepted.json()) as { message: string };
  expect(message).toContain(`URI: ${origin}\n`);
  await site.close();
  await expect(fetch(`${url}/api/auth/session`)).rejects.toThrow('fetch failed');
});

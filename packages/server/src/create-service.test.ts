import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWorld, type World } from '@service/test-support/service';
import { createSolanaRpc, createSolanaRpcFromTransport, generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CreateServiceOptions, createService } from './create-service.ts';
import { claimDatabase, DatabaseMismatchError } from './database/deployment.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ program: false });
});
afterAll(() => world.close());

const create = (
  settings: Partial<CreateServiceOptions['settings']>,
  rpcs: Partial<Pick<CreateServiceOptions, 'rpc' | 'otherRpcs'>> = {},
) => {
  const { service } = world.created;
  return createService({
    ...service,
    ...rpcs,
    database: world.database,
    settings: { ...service.settings, ...settings },
  });
};

test.each(['site.example', 'https://site.example/', 'https://site.example/path', '', 'https://SITE.example'])(
  'an origin that no browser sends is refused at once: %j',
  (origin) => {
    expect(() => create({ origin })).toThrow(RangeError);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'looks at the chain that no timer can be set to are refused at once: every %d ms',
  (pollIntervalMs) => {
    expect(() => create({ pollIntervalMs })).toThrow(RangeError);
  },
);

test('a service closes at once, however long it is to its next look', async () => {
  const site = create({ pollIntervalMs: 2 ** 31 - 1 });
  await site.start();
  // The first look, which begins with the start, is over.
  await site.tick();
  await site.close();
  expect(site.service.signal.aborted).toBe(true);
});

test('a grace without an end lets what is under way end', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const transport = async (request: Parameters<typeof world.net.transport>[0]) => {
    reach();
    await held;
    return world.net.transport(request);
  };
  const rpc = createSolanaRpcFromTransport(transport as typeof world.net.transport);
  const site = create({}, { rpc: rpc as unknown as typeof world.rpc });
  const { url } = await site.listen({ port: 0 });
  const asked = fetch(`${url}/api/network`);
  await reached;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closing = site.close({ graceMs: Number.POSITIVE_INFINITY });
  vi.advanceTimersByTime(86_400_000);
  vi.useRealTimers();
  expect(site.service.signal.aborted).toBe(false);
  letGo();
  expect((await asked).status).toBe(200);
  await closing;
});

test('a service on another cluster than it is told does not start', async () => {
  const other = create({ genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' });
  await expect(other.start()).rejects.toThrow('another cluster');
  await other.close();
});

test('a service does not start on the database of another program, and says what to do', async () => {
  const { program, genesisHash } = world.created.service.settings;
  const { address: other } = await generateKeyPairSigner();
  const site = create({ program: other });
  await expect(site.start()).rejects.toMatchObject({
    name: 'DatabaseMismatchError',
    message: `The database belongs to the program ${program} on the cluster with genesis hash ${genesisHash}, but the settings name the program ${other} on the cluster with genesis hash ${genesisHash}. Correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or set DATABASE_URL or DATA_DIRECTORY to another database.`,
  });
  await site.close();
});

test('nor on that of another cluster, whatever its RPC says', async () => {
  const { settings } = world.created.service;
  const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  await expect(claimDatabase(world.database.db, { ...settings, genesisHash })).rejects.toThrow(
    DatabaseMismatchError,
  );
  await claimDatabase(world.database.db, settings);
});

test('a service does not start with an RPC that says nothing or is gone, and says which it is', async () => {
  const [silent, gone] = [createServer(() => undefined), createServer()];
  const rpcOf = async (server: typeof gone) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return createSolanaRpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=SECRET`);
  };
  const [rpc, rpcThatIsGone] = [await rpcOf(silent), await rpcOf(gone)];
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const starts = async (...args: Parameters<typeof create>) => {
    const site = create(...args);
    await site.start({ timeoutMs: 50 }).finally(() => site.close());
  };
  const late = 'does not answer: nothing came within 0.05 s.';
  await expect(starts({}, { rpc })).rejects.toMatchObject({
    name: 'UnreachableError',
    message: `The RPC ${late}`,
  });
  const others = { otherRpcs: [world.rpc, rpc] };
  await expect(starts({}, others)).rejects.toThrow(`The further RPC number 2 ${late}`);
  await expect(starts({}, { rpc: rpcThatIsGone })).rejects.toThrow(
    `The RPC does not answer: fetch failed (connect ECONNREFUSED 127.0.0.1:${port}).`,
  );
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('on any free port the origin is made of the port, and before that no POST is taken', async () => {
  const site = create({ origin: (port) => `http://localhost:${port}` });
  const { address: wallet } = (await world.visitor()).signer;
  const init = (origin: string) => ({
    method: 'POST',
    body: JSON.stringify({ wallet }),
    headers: { Origin: origin, 'Content-Type': 'application/json' },
  });
  for (const origin of ['', 'http://localhost:0', 'null']) {
    expect((await site.app.request('/api/auth/challenge', init(origin))).status, origin).toBe(403);
  }
  const { url, port } = await site.listen({ port: 0 });
  const taken = await fetch(`${url}/api/auth/challenge`, init(`http://localhost:${port}`));
  expect(taken.status).toBe(200);
  expect(((await taken.json()) as { message: string }).message).toContain(`URI: http://localhost:${port}\n`);
  await site.close();
  await expect(fetch(`${url}/api/auth/session`)).rejects.toThrow('fetch failed');
});

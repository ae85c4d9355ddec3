import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../test/world.ts';
import { type CreateServiceOptions, createService } from './create-service.ts';

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

test('a service on another cluster than it is told does not start', async () => {
  const other = create({ genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' });
  await expect(other.start()).rejects.toThrow('another cluster');
  await other.close();
});

test('a service does not start with an RPC that says nothing or is gone, and says which it is', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const rpc = createSolanaRpc(`http://127.0.0.1:${port}/?key=SECRET`);
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
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  await expect(starts({}, { rpc })).rejects.toThrow(
    `The RPC does not answer: fetch failed (connect ECONNREFUSED 127.0.0.1:${port}).`,
  );
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

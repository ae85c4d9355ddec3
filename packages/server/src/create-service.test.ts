import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../test/world.ts';
import { type CreateServiceOptions, createService } from './create-service.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ program: false });
});
afterAll(() => world.close());

const create = (settings: Partial<CreateServiceOptions['settings']>) => {
  const { service } = world.created;
  return createService({
    ...service,
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

/** PostgreSQL goes away and comes back, behind a forwarder that is cut. Only where there is a PostgreSQL. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTestPlace, type TestPlace } from '../../test/test-database.ts';
import { ruleSetBody } from '../../test/visitor.ts';
import { startWorld, type World } from '../../test/world.ts';
import { type Database, openDatabase } from '../database/open.ts';

/** Forwards connections on a loopback port of its own to the server of a URL. */
class Forwarder {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;

  constructor(url: URL) {
    const folder = url.searchParams.get('host');
    const port = Number(url.port || 5432);
    this.#server = createServer((client) => {
      const server = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the forwarder has no port');
    this.#port = address.port;
    return address.port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describe.runIf(process.env.TEST_DATABASE_URL)('while PostgreSQL is away', () => {
  let world: World;
  let place: TestPlace;
  let forwarder: Forwarder;
  let database: Database;
  beforeAll(async () => {
    world = await startWorld();
    place = await newTestPlace();
    const url = new URL(place.options.url ?? '');
    forwarder = new Forwarder(url);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(await forwarder.open());
    database = await openDatabase({ url: url.href });
  });
  afterAll(async () => {
    await world.close();
    await database.close();
    await forwarder.cut();
    await place.drop();
  });

  test('requests are UNAVAILABLE, health says why, and all goes on afterwards', async () => {
    const service = await world.another({ database });
    await service.tick();
    const visitor = await (await world.visitor(service)).signIn();
    expect(await visitor.get('/api/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const draft = await visitor.prepare('/api/rules', ruleSetBody());
    const { operationId } = draft.body;
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');

    await forwarder.cut();
    const refused = { status: 503, code: 'UNAVAILABLE' };
    expect(await visitor.operation(operationId)).toMatchObject(refused);
    expect(await visitor.signAndSubmit(draft)).toMatchObject(refused);
    expect(await visitor.get('/api/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await visitor.get('/api/health/ready')).toMatchObject({
      ...refused,
      body: { status: 'failing', checks: { database: false, chain: true, index: false, jobs: false } },
    });
    await expect(service.tick()).rejects.toThrow();

    await forwarder.open();
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
    await service.tick();
    expect((await visitor.operation(operationId)).body.state).toBe('SUBMITTED');
    world.net.finalize();
    await service.tick();
    expect((await visitor.operation(operationId)).body.state).toBe('FINALIZED');
    expect(await visitor.get('/api/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

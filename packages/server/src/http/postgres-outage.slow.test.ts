/** Stops PostgreSQL and starts it again. Runs only where PostgreSQL is installed. */

import { ruleSetBody, startWorld, type World } from '@service/server/test-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts';
import { type Database, openDatabase } from '../database/database.ts';

describe.runIf(process.env.TEST_DATABASE_URL && hasPostgres)('while PostgreSQL is stopped', () => {
  let world: World;
  let postgres: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    [world, postgres] = await Promise.all([startWorld(), startPostgres()]);
    database = await openDatabase({ url: postgres.url });
  });
  afterAll(async () => {
    await world.close();
    await database.close();
    await postgres.remove();
  });

  test('requests are UNAVAILABLE, readiness names the checks, and everything recovers', async () => {
    const service = await world.another({ database });
    await service.tick();
    const visitor = await (await world.visitor(service)).signIn();
    expect(await visitor.get('/api/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const draft = await visitor.prepare('/api/rules', ruleSetBody());
    const { operationId } = draft.body;
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');

    await postgres.stop();
    const refused = { status: 503, code: 'UNAVAILABLE' };
    expect(await visitor.operation(operationId)).toMatchObject(refused);
    expect(await visitor.signAndSubmit(draft)).toMatchObject(refused);
    expect(await visitor.get('/api/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await visitor.get('/api/health/ready')).toMatchObject({
      ...refused,
      body: {
        status: 'failing',
        checks: { database: false, chain: true, index: false, jobs: true, clock: true },
      },
    });
    await expect(service.tick()).rejects.toThrow();

    await postgres.start();
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
    await service.tick();
    expect((await visitor.operation(operationId)).body.state).toBe('SUBMITTED');
    world.net.finalize();
    await service.tick();
    expect((await visitor.operation(operationId)).body.state).toBe('FINALIZED');
    expect(await visitor.get('/api/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

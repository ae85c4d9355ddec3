/** Connections to PostgreSQL that break, go silent, or belong to a process that is frozen. */
import { kyselyOf, MIGRATION_LOCK, migrate, openPool, POSTGRES_LIMITS } from '@service/database';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseProxy, openDatabaseProxy } from '../../test/support/database-proxy.ts';
import { addDraft } from '../../test/support/operation-rows.ts';
import { newSignal } from '../../test/support/signal.ts';
import { newTestPlace, type TestPlace } from '../../test/support/test-database.ts';
import { isUnavailable } from '../lib/unavailable.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** Limits that a test reaches soon. */
const SHORT = { connect: 1_000, statement: 300, lock: 150, idleInTransaction: 200, silence: 500 };

describe.runIf(process.env.TEST_DATABASE_URL)('a connection to PostgreSQL', () => {
  let place: TestPlace;
  let proxy: DatabaseProxy;
  const pools: pg.Pool[] = [];
  const open = (url = proxy.url): Kysely<Schema> => {
    const pool = openPool(url, SHORT);
    pools.push(pool);
    return kyselyOf(pool);
  };
  /** Resolves with the error of a promise that rejects. */
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );
  const works = async (db: Kysely<Schema>) => (await sql`select 1 as one`.execute(db)).rows;

  beforeAll(async () => {
    place = await newTestPlace();
    const { url = '' } = place.options;
    await (await openDatabase(place.options)).close();
    proxy = await openDatabaseProxy(url);
  });
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end();
  });
  afterAll(async () => {
    proxy.close();
    await place.drop();
  });

  it('that ends between two statements of a transaction does not end the process', async () => {
    const db = open();
    const error = await errorOf(
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(open());
        // The connection is not used until its end has arrived.
        while ((await errorOf(works(trx))) === null);
        await works(trx);
      }),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(await works(db)).toEqual([{ one: 1 }]);
  });

  it('that the network resets is replaced', async () => {
    const db = open();
    await works(db);
    proxy.cut();
    const error = await errorOf(works(db));
    expect(error === null || isUnavailable(error)).toBe(true);
    expect(await works(db)).toEqual([{ one: 1 }]);
  });

  it('that goes silent ends a statement in time, and the next one gets another connection', async () => {
    const db = open();
    await works(db);
    proxy.silence();
    expect(isUnavailable(await errorOf(works(db)))).toBe(true);
    expect(await works(db)).toEqual([{ one: 1 }]);
  });

  it('that goes silent in a transaction is not used again', async () => {
    const db = open();
    const error = await errorOf(
      db.transaction().execute(async (trx) => {
        await addDraft(trx, 'silent');
        proxy.silence();
        await works(trx);
      }),
    );
    expect(isUnavailable(error)).toBe(true);
    const found = await db.selectFrom('operation').select('id').where('id', '=', 'silent').execute();
    expect(found).toEqual([]);
  });

  it('of a frozen process holds its locks only for a time', async () => {
    const [frozen, other] = [open(), open()];
    await addDraft(other, 'locked');
    const lock = (db: Kysely<Schema>) =>
      sql`update operation set due_at = due_at + 1 where id = 'locked'`.execute(db);
    const [locked, resumed] = [newSignal(), newSignal()];
    const hanging = errorOf(
      frozen.transaction().execute(async (trx) => {
        await lock(trx);
        locked.reach();
        await resumed.reached;
        await lock(trx);
      }),
    );
    await locked.reached;
    // While the lock is held, a statement waits for a bounded time, and the service calls that an outage.
    let failures = 0;
    for (let error: unknown = 'none'; error !== null; ) {
      error = await errorOf(lock(other));
      if (error !== null) {
        failures += 1;
        expect(isUnavailable(error)).toBe(true);
      }
    }
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThan(10);
    resumed.reach();
    expect(isUnavailable(await hanging)).toBe(true);
    const row = await other
      .selectFrom('operation')
      .select('due_at')
      .where('id', '=', 'locked')
      .executeTakeFirst();
    expect(row?.due_at).toBe(1n);
  });

  it('of a migration waits for another one longer than the limits of its role', async () => {
    const patient = { ...SHORT, idleInTransaction: 10_000, silence: 15_000 };
    const looking = open();
    const [holding, waiting] = [1, 2].map(() => {
      const pool = openPool(proxy.url, patient);
      pools.push(pool);
      return kyselyOf(pool);
    }) as [Kysely<Schema>, Kysely<Schema>];
    let hasEnded = false;
    let migration: Promise<unknown> = Promise.resolve();
    await holding.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(trx);
      migration = errorOf(migrate(waiting, MIGRATIONS)).finally(() => {
        hasEnded = true;
      });
      for (let waits: unknown[] = []; waits.length === 0 && !hasEnded; ) {
        ({ rows: waits } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
          and clock_timestamp() - query_start > interval '400 milliseconds'`.execute(looking));
      }
    });
    expect(await migration).toBe(null);
  });
});

it('the limits end a statement before the connection, and a lock before the statement', () => {
  const { lock, statement, idleInTransaction, silence } = POSTGRES_LIMITS;
  expect(lock).toBeLessThan(statement);
  expect(Math.max(statement, idleInTransaction)).toBeLessThan(silence);
});

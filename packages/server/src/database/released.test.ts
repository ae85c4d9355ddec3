/** Migrations of the database of each release; see test/released. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { OPERATION_STATES, REVOCATION_TRANSITIONS, VERIFICATION_STATES } from '@service/contract';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readShape } from '../../test/support/database-shape.ts';
import { newTestPlace, openTestDatabase, type TestPlace } from '../../test/support/test-database.ts';
import { createService } from '../create-service.ts';
import { DatabaseNewerError } from './migrate.ts';
import { type Database, openDatabase } from './open.ts';

const released = (file: string) => readFile(new URL(`../../test/released/${file}`, import.meta.url), 'utf8');
const RELEASES = readdirSync(new URL('../../test/released/', import.meta.url))
  .filter((file) => file.endsWith('.sql'))
  .map((file) => Number.parseInt(file, 10));
const DUMPS = await Promise.all(
  RELEASES.map(async (release) => [release, await released(`${release}.sql`)] as const),
);
const { now, operations } = JSON.parse(await released('1.json')) as {
  now: number;
  operations: {
    cookie: string;
    operation: { operationId: string; state: string; wallet: string; indexed?: boolean };
  }[];
};
/** Tables that a migration writes to. */
const GROWING = ['schema_migration', 'state_transition'];
/** The release whose migrations emptied the index last. Its tables hold nothing that is not on the chain. */
const EMPTIED_INDEX = 3;
const INDEX = ['indexed_account', 'index_position', 'indexed_signature'];

describe.each(DUMPS)('a database of release %i', (release, dump) => {
  const TABLES = [...dump.matchAll(/^CREATE TABLE public\.(\w+)/gm)].map(([, name]) => name!);
  /** Copies of the rows before the migration. */
  const KEEP = `create schema before; ${TABLES.map((name) => `create table before.${name} as table public.${name};`).join('\n')}`;
  let place: TestPlace;
  let database: Database;
  beforeAll(async () => {
    place = await newTestPlace({ dump: dump + KEEP });
    // Replicas that start at once all migrate. Only PostgreSQL allows replicas.
    const replicas = await Promise.all(
      Array.from({ length: place.options.url ? 4 : 1 }, () => openDatabase(place.options)),
    );
    database = replicas.pop()!;
    for (const each of replicas) await each.close();
  });
  afterAll(async () => {
    await database?.close();
    await place.drop();
  });

  async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table)} t`.execute(database.db);
    return rows.map(({ row }) => row);
  }

  test.each(TABLES)('keeps every row of %s unchanged', async (table) => {
    const before = await rowsOf(`before.${table}`);
    expect(before).not.toEqual([]);
    const after = await rowsOf(`public.${table}`);
    if (release < EMPTIED_INDEX && INDEX.includes(table)) return expect(after).toEqual([]);
    const columns = Object.keys(before[0]!);
    const old = after.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    expect(old).toEqual(expect.arrayContaining(before));
    if (!GROWING.includes(table)) expect(after).toHaveLength(before.length);
  });

  test('has every state', async () => {
    const states = async (table: string) => new Set((await rowsOf(table)).map(({ state }) => state));
    expect(await states('operation')).toEqual(new Set(OPERATION_STATES));
    expect(await states('verification_session')).toEqual(new Set(VERIFICATION_STATES));
    if (release > 1) {
      expect(await states('credential_revocation')).toEqual(new Set(Object.keys(REVOCATION_TRANSITIONS)));
    }
  });

  test('has the same tables as a new database', async () => {
    const fresh = await openTestDatabase();
    expect(await readShape(database.db)).toEqual(await readShape(fresh.db));
    await fresh.close();
  });

  test('lets a draft adopt a message, and no other operation', async () => {
    for (const state of OPERATION_STATES) {
      const adopting = database.db.transaction().execute(async (trx) => {
        await sql`update operation set adopted_message = '\\x02' where state = ${state}`.execute(trx);
        throw new Error('undone');
      });
      await expect(adopting).rejects.toThrow(state === 'DRAFT' ? 'undone' : 'only a draft adopts a message');
    }
  });

  test('gives the same responses for sessions and operations as that release', async () => {
    const { app } = createService({
      settings: {
        origin: 'https://site.example',
        program: '11111111111111111111111111111111' as never,
        genesisHash: '',
        publicRpcUrl: '',
        artifacts: { directory: '', manifest: {} as never, digest: '' },
        verifier: { url: '', webhookSecret: '' },
        maxIndexLagSeconds: 60,
        pollIntervalMs: 'manual',
      },
      database,
      rpc: createSolanaRpc('http://127.0.0.1:9'),
      feePayer: await generateKeyPairSigner(),
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
    });
    const get = async (path: string, cookie: string) =>
      (await app.request(path, { headers: { cookie } })).json();
    for (const { cookie, operation } of operations) {
      // Nothing is indexed until the server has read the accounts again.
      const expected = 'indexed' in operation ? { ...operation, indexed: false } : operation;
      expect(await get(`/api/operations/${operation.operationId}`, cookie)).toEqual(expected);
      expect(await get('/api/auth/session', cookie)).toEqual({ wallet: operation.wallet });
    }
    expect(new Set(operations.map(({ operation }) => operation.state))).toEqual(new Set(OPERATION_STATES));
  });
});

test.runIf(process.env.TEST_DATABASE_URL)('migrates while an older version writes its index', async () => {
  const place = await newTestPlace({ dump: await released('3.sql') });
  const older = new pg.Client({ connectionString: place.options.url! });
  await older.connect();
  await older.query('begin; update index_position set slot = slot');
  const migrated = openDatabase(place.options);
  await vi.waitFor(async () => {
    const waiting = await older.query('select from pg_locks where not granted');
    expect(waiting.rowCount).toBe(1);
  });
  await older.query('update indexed_account set slot = slot; commit');
  await older.end();
  await (await migrated).close();
  await place.drop();
});

test('a database that is newer than the code is rejected and not changed', async () => {
  const tomorrow = "insert into public.schema_migration (name) values ('operations-of-tomorrow');";
  const place = await newTestPlace({ dump: (await released('1.sql')) + tomorrow });
  const refused = openDatabase(place.options);
  await expect(refused).rejects.toThrow(DatabaseNewerError);
  await expect(refused).rejects.toThrow(
    /newer than this version .* operations-of-tomorrow\. Start the newer version/,
  );
  await place.drop();
});

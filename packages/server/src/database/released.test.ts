/** Opens databases of releases: see `test/released/write-dump.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { OPERATION_STATES, REVOCATION_TRANSITIONS, VERIFICATION_STATES } from '@service/contract';
import { DatabaseNewerError } from '@service/database';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShape } from '../../test/support/database-shape.ts';
import { newTestPlace, openTestDatabase, type TestPlace } from '../../test/support/test-database.ts';
import { createService } from '../create-service.ts';
import { type Database, openDatabase } from './database.ts';

const FOLDER = new URL('../../test/released/', import.meta.url);
const RELEASES = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
const dumpOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

describe.each(RELEASES)('the database %s', (file) => {
  const dump = dumpOf(file);
  const TABLES = [...dump.matchAll(/^CREATE TABLE public\.(\w+)/gm)].map(([, name]) => name!);
  /** Copies of the rows before the migration. */
  const keep = `create schema before; ${TABLES.map((name) => `create table before.${name} as table public.${name};`).join('\n')}`;
  let place: TestPlace;
  let database: Database;
  beforeAll(async () => {
    place = await newTestPlace({ dump: dump + keep });
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
    const columns = Object.keys(before[0]!);
    const after = (await rowsOf(`public.${table}`)).map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[column]])),
    );
    expect(after).toEqual(expect.arrayContaining(before));
  });

  test('has the same tables as a new database', async () => {
    const fresh = await openTestDatabase();
    expect(await readShape(database.db)).toEqual(await readShape(fresh.db));
    await fresh.close();
  });

  test('has every state', async () => {
    const states = async (table: string) => new Set((await rowsOf(table)).map(({ state }) => state));
    expect(await states('operation')).toEqual(new Set(OPERATION_STATES));
    expect(await states('verification_session')).toEqual(new Set(VERIFICATION_STATES));
    expect(await states('credential_revocation')).toEqual(new Set(Object.keys(REVOCATION_TRANSITIONS)));
  });

  test('still has its sessions and operations', async () => {
    const { app } = createService({
      settings: {
        origin: 'http://localhost',
        program: '11111111111111111111111111111111' as never,
        genesisHash: '',
        publicRpcUrl: '',
        artifacts: { directory: '', manifest: {} as never, digest: '' },
        verifier: { name: 'main', url: '', webhookSecret: '' },
        maxIndexLagSeconds: 60,
        pollIntervalMs: 'manual',
      },
      database,
      rpc: createSolanaRpc('http://127.0.0.1:9'),
      feePayer: await generateKeyPairSigner(),
      clock: { now: () => 1 },
      log: pino({ level: 'silent' }),
    });
    for (const { id, wallet, state } of await rowsOf('operation')) {
      const headers = { cookie: `session=session-${state}` };
      const get = async (path: string) => (await app.request(path, { headers })).json();
      expect(await get('/api/auth/session')).toEqual({ wallet });
      expect(await get(`/api/operations/${id}`)).toMatchObject({ operationId: id, wallet, state });
    }
  });
});

test('a database that is newer than the code is rejected and not changed', async () => {
  const tomorrow =
    "insert into public.kysely_migration values ('9999-tomorrow', '2026-01-01T00:00:00.000Z');";
  const place = await newTestPlace({ dump: dumpOf(RELEASES[0]!) + tomorrow });
  const refused = openDatabase(place.options);
  await expect(refused).rejects.toThrow(DatabaseNewerError);
  await expect(refused).rejects.toThrow(/newer than this version .* 9999-tomorrow\. Start the newer version/);
  await place.drop();
});

import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import type { OpenDatabaseOptions } from '@service/database';
import { databaseImage } from '@service/database/image';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import { pooledDatabase } from './pglite-pool.ts';

export { rowsOf, setRows } from './database-rows.ts';

/** A database for tests, with all tables. */
export interface TestDatabase extends Database {
  /** Opens the same database with its own connections, like another process. With PGlite it returns this database. */
  another(): Promise<Database>;
}

/** The place of a database. Call `drop` when it is closed. */
export interface TestPlace {
  readonly options: OpenDatabaseOptions;
  drop(): Promise<void>;
}

/**
 * Opens a new database: PGlite in memory, or a new database on the PostgreSQL of TEST_DATABASE_URL. The user of that
 * PostgreSQL must be allowed to create databases.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  if (!process.env.TEST_DATABASE_URL) {
    const database = await pooledDatabase();
    return { ...database, another: async () => database };
  }
  const place = await newTestPlace();
  const database = await openDatabase(place.options);
  const others: Database[] = [];
  return {
    ...database,
    async another() {
      const other = await openDatabase(place.options);
      others.push(other);
      return other;
    },
    async close() {
      for (const each of [...others, database]) await each.close();
      await place.drop();
    },
  };
}

/** Opens a new database before the tests of a file, and closes it afterwards. */
export function databaseOfFile(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await openTestDatabase());
  });
  afterAll(() => database.close());
  return database;
}

/** Makes a place without tables, or with the content of a dump (SQL text). With PGlite it has all tables, to save time. */
export async function newTestPlace({ dump }: { dump?: string } = {}): Promise<TestPlace> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { options: { memory: true, image: await imageOf(dump) }, drop: async () => undefined };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  if (dump) await runOn(url.href, dump);
  return { options: { url: url.href }, drop: () => runOn(server, `drop database ${name}`) };
}

async function imageOf(dump: string | undefined): Promise<Blob> {
  if (!dump) return databaseImage(MIGRATIONS);
  const pglite = await PGlite.create('memory://', { loadDataDir: await databaseImage() });
  await pglite.exec(dump);
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  return image;
}

async function runOn(server: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

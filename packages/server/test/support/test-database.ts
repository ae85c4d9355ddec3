import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { type Database, type OpenDatabaseOptions, openDatabase } from '../../src/database/open.ts';
import { databaseImage } from './database-image.ts';

/** A database for tests, with all tables. */
export interface TestDatabase extends Database {
  /** The same database as another process would have it: by connections of its own, or under PGlite the very same one. */
  another(): Promise<Database>;
}

/** Where a database of one's own is; `drop` once nobody has it open. */
export interface TestPlace {
  readonly options: OpenDatabaseOptions;
  drop(): Promise<void>;
}

/**
 * A database of its own: PGlite in memory, or, when TEST_DATABASE_URL names a PostgreSQL whose user may create
 * databases, a new one there, so that the same tests run on both.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const place = await newTestPlace();
  const database = await openDatabase(place.options);
  const others: Database[] = [];
  return {
    ...database,
    async another() {
      if (!database.pool) return database;
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

/** A place without tables (in PGlite with all of them, for making them takes as long as a test), or with what a dump (SQL text) puts there. */
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
  if (!dump) return databaseImage('tables');
  const pglite = await PGlite.create('memory://', { loadDataDir: await databaseImage('empty') });
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

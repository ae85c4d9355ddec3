import { newTestPlace as newPlace, type TestPlace } from '@service/database/test-support';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import { pooledDatabase } from './pglite-pool.ts';

export type { TestPlace } from '@service/database/test-support';
export { rowsOf, setRows } from './database-rows.ts';

/** A database for tests, with all tables. */
export interface TestDatabase extends Database {
  /** Opens the same database with its own connections, like another process. With PGlite it returns this database. */
  another(): Promise<Database>;
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
export function newTestPlace(options: { readonly dump?: string } = {}): Promise<TestPlace> {
  return newPlace(MIGRATIONS, options);
}

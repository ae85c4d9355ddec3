import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../src/database/open.ts';
import { databaseImage } from './database-image.ts';

/**
 * A database of its own: PGlite in memory, or, when TEST_DATABASE_URL names a PostgreSQL whose user may create
 * databases, a new one there, so that the same tests run on both.
 */
export async function openTestDatabase(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return openDatabase({ memory: true, image: await databaseImage() });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const database = await openDatabase({ url: url.href });
  return {
    ...database,
    close: async () => {
      await database.close();
      await runOn(server, `drop database ${name}`);
    },
  };
}

async function runOn(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

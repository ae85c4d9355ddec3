/** Places of databases for tests: PGlite in memory, or new databases on the PostgreSQL of TEST_DATABASE_URL. */
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Migrations } from '../../src/migrate.ts';
import type { OpenDatabaseOptions } from '../../src/open.ts';
import { databaseImage } from '../../src/pglite/image.ts';

/** The place of a database. Call `drop` when it is closed. */
export interface TestPlace {
  readonly options: OpenDatabaseOptions;
  drop(): Promise<void>;
}

/**
 * Makes a place without tables, or with the content of a dump (SQL text). With PGlite it has all tables, to save time. The
 * user of TEST_DATABASE_URL must be allowed to create databases.
 */
export async function newTestPlace(
  migrations: Migrations,
  { dump }: { readonly dump?: string } = {},
): Promise<TestPlace> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    const image = dump ? await imageOf(dump) : await databaseImage(migrations);
    return { options: { memory: true, image }, drop: async () => undefined };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  if (dump) await runOn(url.href, dump);
  return { options: { url: url.href }, drop: () => runOn(server, `drop database ${name}`) };
}

async function imageOf(dump: string): Promise<Blob> {
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

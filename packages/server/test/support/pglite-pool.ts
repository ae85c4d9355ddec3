/** PGlite databases with all tables that the test files of one process use one after another. */
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { SYSTEM_CLOCK } from '../../src/database/clock/clock.ts';
import type { Database } from '../../src/database/open.ts';
import { pgliteDialect } from '../../src/database/pglite/dialect.ts';
import type { Schema } from '../../src/database/schema.ts';
import { databaseImage } from './database-image.ts';

/** A PGlite, and the statements that make it as new. */
interface Pooled {
  readonly pglite: PGlite;
  readonly reset: string;
  /** Counts what a test may have created besides rows. */
  readonly shape: string;
}

const INT8 = 20;
const free: Pooled[] = [];

/** Takes a database with empty tables. Starting PGlite takes 0.4 s of CPU. `close` empties the tables for the next file. */
export async function pooledDatabase(): Promise<Database> {
  const pooled = free.pop() ?? (await start());
  const db = new Kysely<Schema>({ dialect: pgliteDialect(pooled.pglite) });
  return {
    db,
    pool: null,
    clock: SYSTEM_CLOCK,
    async close() {
      // Waits for the statements of others, because they share the connection.
      await db.connection().execute(async () => {
        if ((await shapeOf(pooled.pglite)) === pooled.shape) {
          await pooled.pglite.exec(pooled.reset);
          free.push(pooled);
        } else await pooled.pglite.close();
      });
    },
  };
}

async function start(): Promise<Pooled> {
  const pglite = await PGlite.create('memory://', {
    parsers: { [INT8]: (text: string) => BigInt(text) },
    loadDataDir: await databaseImage('tables'),
  });
  return { pglite, reset: await resetOf(pglite), shape: await shapeOf(pglite) };
}

/** Returns statements that leave each table with the rows of a new database. */
async function resetOf(pglite: PGlite): Promise<string> {
  const { rows: tables } = await pglite.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  );
  const inserts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pglite.query<{ kept: string | null }>(
      `select quote_literal(json_agg(each)::text) as kept from ${name} each`,
    );
    const { kept } = rows[0]!;
    if (kept)
      inserts.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${kept});`);
  }
  const names = tables.map(({ name }) => name).join(', ');
  // As a replica, PostgreSQL runs no triggers, which reject some changes.
  return `set session_replication_role = replica; truncate ${names} restart identity cascade; ${inserts.join(' ')} reset all;`;
}

async function shapeOf(pglite: PGlite): Promise<string> {
  const counts = ['pg_class', 'pg_proc', 'pg_trigger', 'pg_attribute', 'pg_constraint'].map(
    (catalog) => `(select count(*) from ${catalog})`,
  );
  const { rows } = await pglite.query<{ shape: string }>(
    `select concat_ws(' ', ${counts.join(', ')}) as shape`,
  );
  return rows[0]!.shape;
}

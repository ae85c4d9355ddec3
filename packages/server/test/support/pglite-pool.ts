/** PGlite databases with all tables that the test files of one process use one after another. */
import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import { SYSTEM_CLOCK } from '../../src/database/clock/clock.ts';
import type { Database } from '../../src/database/open.ts';
import { pgliteDialect } from '../../src/database/pglite/dialect.ts';
import type { Schema } from '../../src/database/schema.ts';
import { databaseImage } from './database-image.ts';
import { rowsOf, setRows } from './database-rows.ts';

/** A PGlite, its first rows, and its shape. */
interface Pooled {
  readonly pglite: PGlite;
  readonly rows: readonly string[];
  readonly shape: string;
}

const INT8 = 20;
const free: Pooled[] = [];

/** Takes a database as a new one. Starting PGlite takes 0.4 s of CPU. `close` restores its first rows for the next file. */
export async function pooledDatabase(): Promise<Database> {
  const pooled = free.pop() ?? (await start());
  const db = open(pooled.pglite);
  return {
    db,
    pool: null,
    clock: SYSTEM_CLOCK,
    async close() {
      // A test may have created a table or a trigger.
      if ((await shapeOf(db)) !== pooled.shape) return db.destroy();
      await setRows(db, pooled.rows);
      free.push(pooled);
    },
  };
}

async function start(): Promise<Pooled> {
  const pglite = await PGlite.create('memory://', {
    parsers: { [INT8]: (text: string) => BigInt(text) },
    loadDataDir: await databaseImage('tables'),
  });
  const db = open(pglite);
  return { pglite, rows: await rowsOf(db), shape: await shapeOf(db) };
}

const open = (pglite: PGlite) => new Kysely<Schema>({ dialect: pgliteDialect(pglite) });

/** Counts what a database has besides rows. */
async function shapeOf(db: Kysely<Schema>): Promise<string> {
  const counts = ['pg_class', 'pg_proc', 'pg_trigger', 'pg_attribute', 'pg_constraint'].map(
    (catalog) => `(select count(*) from ${catalog})`,
  );
  const { rows } = await sql
    .raw<{ shape: string }>(`select concat_ws(' ', ${counts.join(', ')}) as shape`)
    .execute(db);
  return rows[0]!.shape;
}

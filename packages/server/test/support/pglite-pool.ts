/** PGlite databases with all tables that the test files of one process use one after another. */
import { PGlite } from '@electric-sql/pglite';
import { pgliteDialect, SYSTEM_CLOCK } from '@service/database';
import { databaseImage } from '@service/database/image';
import { Kysely, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import type { Schema } from '../../src/database/schema.ts';
import { rowsOf, setRows } from './database-rows.ts';

/** A PGlite, its first rows, and its shape. */
interface Pooled {
  readonly pglite: PGlite;
  readonly rows: readonly string[];
  readonly shape: string;
  /** The date then, in Unix milliseconds. */
  readonly openedAt: number;
}

/** Tests that set the date set it to another month. */
const MOST_AGE_MS = 7 * 86_400_000;

const INT8 = 20;
const free: Pooled[] = [];

/** Takes a database as a new one. Starting PGlite takes 0.4 s of CPU. `close` restores its first rows for the next file. */
export async function pooledDatabase(): Promise<Database> {
  const date = Date.now();
  // The timers of PGlite would be months ahead when a test sets the date back.
  const usable = free.findIndex(({ openedAt }) => Math.abs(date - openedAt) < MOST_AGE_MS);
  const [pooled = await start()] = usable < 0 ? [] : free.splice(usable, 1);
  let isClosed = false;
  const leased = new Proxy(pooled.pglite, {
    get(pglite, key) {
      if (key === 'close') return async () => undefined;
      if (isClosed) throw new Error('PGlite is closed');
      const value = Reflect.get(pglite, key, pglite);
      return typeof value === 'function' ? value.bind(pglite) : value;
    },
  });
  const db = open(leased);
  return {
    db,
    pool: null,
    clock: SYSTEM_CLOCK,
    async close() {
      if (isClosed) return;
      await db.destroy();
      isClosed = true;
      const own = open(pooled.pglite);
      // A test may have created a table or a trigger.
      if ((await shapeOf(own)) !== pooled.shape) return own.destroy();
      await setRows(own, pooled.rows);
      free.push(pooled);
    },
  };
}

async function start(): Promise<Pooled> {
  const pglite = await PGlite.create('memory://', {
    parsers: { [INT8]: (text: string) => BigInt(text) },
    loadDataDir: await databaseImage(MIGRATIONS),
  });
  const db = open(pglite);
  return { pglite, rows: await rowsOf(db), shape: await shapeOf(db), openedAt: Date.now() };
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

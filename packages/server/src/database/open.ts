/** Opens the database: PGlite in this process by default, PostgreSQL by URL; one SQL text for both. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { lockDirectory } from './lock.ts';
import { migrate } from './migrate.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import type { Schema } from './schema.ts';

/** Exactly one of the three. */
export interface OpenDatabaseOptions {
  /** PostgreSQL, as in `postgres://user:password@host/name`; several processes may share it. */
  readonly url?: string | undefined;
  /** PGlite in this folder, for one process. It survives a kill but not a power cut: PGlite does not fsync. */
  readonly directory?: string | undefined;
  /** PGlite in memory: gone when it is closed. */
  readonly memory?: boolean | undefined;
  /** With `memory`: the initial data folder, from PGlite's `dumpDataDir`. Creating one takes seconds; loading it is fast. */
  readonly image?: Blob | undefined;
}

/** An open database with its tables. int8 columns read as bigint, bytea as Uint8Array. */
export interface Database {
  readonly db: Kysely<Schema>;
  /** The connections to PostgreSQL, for the rate limits; null with PGlite. */
  readonly pool: pg.Pool | null;
  close(): Promise<void>;
}

const INT8 = 20;

/**
 * Opens the database and applies missing migrations.
 *
 * @throws RangeError unless exactly one location is set, DatabaseLockedError when another process has the folder open,
 * DatabaseNewerError when a newer version has migrated the database.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, directory, memory, image } = options;
  if ([url, directory, memory || undefined].filter((place) => place !== undefined).length !== 1) {
    throw new RangeError('Set exactly one location of the database: url, directory or memory.');
  }
  const opened = url !== undefined ? openPostgres(url) : await openPglite(directory ?? null, image);
  try {
    await migrate(opened.db);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

async function openPglite(directory: string | null, image: Blob | undefined): Promise<Database> {
  const unlock = directory === null ? async () => undefined : await lockDirectory(directory);
  try {
    const made = directory === null ? null : await beginFolder(resolve(directory));
    const pglite = await PGlite.create(directory === null ? 'memory://' : resolve(directory), {
      parsers: { [INT8]: (text: string) => BigInt(text) },
      ...(image && directory === null ? { loadDataDir: image } : {}),
    });
    await made?.();
    const db = new Kysely<Schema>({ dialect: pgliteDialect(pglite) });
    return {
      db,
      pool: null,
      close: async () => {
        await db.destroy();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * Prepares a folder for PGlite. Returns the function to call once the folder is open. A kill while PGlite creates a folder
 * leaves one that cannot be opened. A mark file next to the folder shows that, and the next start empties the folder.
 */
async function beginFolder(folder: string): Promise<() => Promise<void>> {
  const mark = `${folder}.making`;
  await mkdir(dirname(folder), { recursive: true });
  if (existsSync(mark) && existsSync(folder)) {
    // The folder itself may be a mounted volume.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  }
  if (!existsSync(join(folder, 'PG_VERSION'))) await writeFile(mark, '');
  return () => rm(mark, { force: true });
}

/** Opens the database: PGlite in this process, or PostgreSQL by URL. Both run the same SQL. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Kysely } from 'kysely';
import type pg from 'pg';
import { createDatabaseClock, type DatabaseClock, SYSTEM_CLOCK } from './clock.ts';
import { type Migrations, migrate } from './migrate.ts';
import { pgliteDialect } from './pglite/dialect.ts';
import { loadPglite } from './pglite/load.ts';
import { lockDirectory } from './pglite/lock.ts';
import { kyselyOf, openPool, withUnlimitedConnection } from './postgres/pool.ts';

/** Exactly one of `url`, `directory` and `memory`. */
export interface OpenDatabaseOptions {
  /** PostgreSQL, such as `postgres://user:password@host/name`. Several processes may share it. */
  readonly url?: string | undefined;
  /** PGlite in this folder, for one process. The data survives a kill, but not a power cut, because PGlite does not fsync. */
  readonly directory?: string | undefined;
  /** PGlite in memory. Closing it loses the data. */
  readonly memory?: boolean | undefined;
  /** With `memory`: a data folder from PGlite's `dumpDataDir`. Loading it is faster than creating a new one. */
  readonly image?: Blob | undefined;
}

/** An open database with its tables. An int8 column reads as bigint, a bytea column as Uint8Array. */
export interface OpenDatabase<Schema> {
  readonly db: Kysely<Schema>;
  /** The connections to PostgreSQL, which rate limits need to be shared; null under PGlite. */
  readonly pool: pg.Pool | null;
  /** The time for decisions that several processes share. */
  readonly clock: DatabaseClock;
  close(): Promise<void>;
}

const INT8 = 20;

/**
 * Opens the database and applies missing migrations.
 *
 * @throws RangeError unless exactly one place is given; DatabaseLockedError if another process uses the folder;
 * DatabaseNewerError if a newer version has migrated the tables; PgliteMissingError if PGlite is not installed
 */
export async function openDatabase<Schema>(
  { url, directory, memory, image }: OpenDatabaseOptions,
  migrations: Migrations,
): Promise<OpenDatabase<Schema>> {
  if ([url, directory, memory || undefined].filter((place) => place !== undefined).length !== 1) {
    throw new RangeError('Set exactly one location of the database: url, directory or memory.');
  }
  return url !== undefined
    ? openPostgres(url, migrations)
    : openPglite(directory ?? null, { image, migrations });
}

async function openPostgres<Schema>(url: string, migrations: Migrations): Promise<OpenDatabase<Schema>> {
  const pool = openPool(url);
  const db = kyselyOf<Schema>(pool);
  const clock = createDatabaseClock(db);
  try {
    await withUnlimitedConnection(url, (connection) => migrate(connection, migrations));
    await clock.measure();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, pool, clock, close: () => db.destroy() };
}

async function openPglite<Schema>(
  directory: string | null,
  { image, migrations }: { readonly image: Blob | undefined; readonly migrations: Migrations },
): Promise<OpenDatabase<Schema>> {
  const PGlite = await loadPglite();
  const unlock = directory === null ? async () => undefined : await lockDirectory(directory);
  try {
    const made = directory === null ? null : await beginFolder(resolve(directory));
    const pglite = await PGlite.create(directory === null ? 'memory://' : resolve(directory), {
      parsers: { [INT8]: (text: string) => BigInt(text) },
      ...(image && directory === null ? { loadDataDir: image } : {}),
    });
    await made?.();
    const db = new Kysely<Schema>({ dialect: pgliteDialect(pglite) });
    await migrate(db, migrations).catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
    return {
      db,
      pool: null,
      clock: SYSTEM_CLOCK,
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
 * Prepares a folder for PGlite. Returns a function to call when PGlite has opened it. If a kill interrupts the creation of
 * a folder, it cannot be opened again. A mark file shows that a creation did not finish, so its content can be deleted.
 */
async function beginFolder(folder: string): Promise<() => Promise<void>> {
  const mark = `${folder}.making`;
  await mkdir(dirname(folder), { recursive: true });
  if (existsSync(mark) && existsSync(folder)) {
    // Keep the folder itself, because it may be a mounted volume.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  }
  if (!existsSync(join(folder, 'PG_VERSION'))) await writeFile(mark, '');
  return () => rm(mark, { force: true });
}

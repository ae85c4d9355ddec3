/** A ready data folder of PGlite, for databases in memory. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { type Migrations, migrate } from '../migrate.ts';
import { pgliteDialect } from './dialect.ts';

/** The folder of the images, which processes share. `npm ci` deletes it. */
const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/database-image');

/**
 * Statements that make each start faster. PGlite fills its shared buffers with zeros (128 MB by default) and copies every
 * database of the image.
 */
const SMALL = [
  "alter system set shared_buffers = '8MB'",
  "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  'drop database template0',
  'drop database template1',
];
/** Small segments of the write-ahead log (1 MB), for the same reason. */
const INITDB = ['--wal-segsize=1'];

/**
 * Returns a PGlite data folder with the tables of the migrations, or an empty one. Creating one takes five seconds of CPU, and
 * loading it one. So it is cached as a file whose name contains a digest of everything that it depends on.
 */
export async function databaseImage(migrations: Migrations = {}): Promise<Blob> {
  const applied = Object.entries(migrations).map(([name, { up }]) => `${name}\n${up}`);
  const madeOf = [pgliteVersion(), ...SMALL, ...INITDB, ...applied];
  const digest = createHash('sha256').update(madeOf.join('\n')).digest('hex').slice(0, 16);
  const file = join(CACHE, `${digest}.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);
  const image = applied.length === 0 ? await emptyImage() : await imageWithTables(migrations);
  // If the folder cannot be written, each process makes its own image.
  await keep(file, image).catch(() => undefined);
  return image;
}

/** Writes an image. Other processes may write the same file, so it gets its name only when it is complete. */
async function keep(file: string, image: Blob): Promise<void> {
  const own = `${file}.${randomUUID()}`;
  await mkdir(CACHE, { recursive: true });
  await writeFile(own, Buffer.from(await image.arrayBuffer()));
  await rename(own, file);
}

async function emptyImage(): Promise<Blob> {
  const pglite = await PGlite.create('memory://', { initDbStartParams: INITDB });
  // Several statements at once would be a transaction, which cannot drop a database.
  for (const statement of SMALL) await pglite.exec(statement);
  return takeImage(pglite);
}

async function imageWithTables(migrations: Migrations): Promise<Blob> {
  const pglite = await PGlite.create('memory://', { loadDataDir: await databaseImage() });
  await migrate(new Kysely({ dialect: pgliteDialect(pglite) }), migrations);
  return takeImage(pglite);
}

/** Dumps and closes PGlite. The checkpoint avoids a replay of the write-ahead log at each start. */
async function takeImage(pglite: PGlite): Promise<Blob> {
  await pglite.exec('checkpoint');
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  return image;
}

function pgliteVersion(): string {
  const require = createRequire(import.meta.url);
  return require(join(require.resolve('@electric-sql/pglite'), '../../package.json')).version;
}

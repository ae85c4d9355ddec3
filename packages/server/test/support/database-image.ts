import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DummyDriver, Kysely } from 'kysely';
import { migrate } from '../../src/database/migrate.ts';
import { pgliteDialect } from '../../src/database/pglite-dialect.ts';

/**
 * What makes each start quicker: PGlite fills all of its shared buffers with zeros (128 MB by default), and copies each
 * database of the image.
 */
const SMALL = [
  "alter system set shared_buffers = '8MB'",
  "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  'drop database template0',
  'drop database template1',
];
/** Segments of the write-ahead log of 1 MB, for the same reason. */
const INITDB = ['--wal-segsize=1'];

/**
 * A PGlite data folder, empty or with all tables. Making one takes seconds, reading it does not: each is kept among
 * temporary files, by what it is made of.
 */
export async function databaseImage(content: 'empty' | 'tables'): Promise<Blob> {
  const madeOf = [
    pgliteVersion(),
    ...SMALL,
    ...INITDB,
    ...(content === 'tables' ? await migrationStatements() : []),
  ];
  const digest = createHash('sha256').update(madeOf.join('\n')).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `pglite-${content}-${digest}.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);
  const image = content === 'empty' ? await emptyImage() : await imageWithTables();
  // Other test files may be at the same: the name appears with its whole content.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, Buffer.from(await image.arrayBuffer()));
  await rename(own, file);
  return image;
}

async function emptyImage(): Promise<Blob> {
  const pglite = await PGlite.create('memory://', { initDbStartParams: INITDB });
  // One at a time: databases are not dropped in a transaction, which several statements at once would be.
  for (const statement of SMALL) await pglite.exec(statement);
  return takeImage(pglite);
}

async function imageWithTables(): Promise<Blob> {
  const pglite = await PGlite.create('memory://', { loadDataDir: await databaseImage('empty') });
  await migrate(new Kysely({ dialect: pgliteDialect(pglite) }));
  return takeImage(pglite);
}

/** Dumps and closes. What is in the write-ahead log alone would be replayed at each start. */
async function takeImage(pglite: PGlite): Promise<Blob> {
  await pglite.exec('checkpoint');
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  return image;
}

/** What the migrations say to an empty database. */
async function migrationStatements(): Promise<string[]> {
  const said: string[] = [];
  const listening = new Kysely({
    dialect: { ...pgliteDialect(null as never), createDriver: () => new DummyDriver() },
    log: ({ query }) => void said.push(query.sql, ...query.parameters.map(String)),
  });
  await migrate(listening);
  return said;
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return createRequire(import.meta.url)(join(entry, '../../package.json')).version;
}

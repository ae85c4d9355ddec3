import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** An empty PGlite data folder, kept among temporary files by PGlite's version: making one takes seconds, reading it does not. */
export async function databaseImage(): Promise<Blob> {
  const file = join(tmpdir(), `pglite-${pgliteVersion()}-empty.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);
  const pglite = await PGlite.create('memory://');
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  // Other test files may be at the same: the name appears with its whole content.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, Buffer.from(await image.arrayBuffer()));
  await rename(own, file);
  return image;
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return createRequire(import.meta.url)(join(entry, '../../package.json')).version;
}

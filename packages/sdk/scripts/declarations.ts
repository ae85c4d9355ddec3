/**
 * Makes the declarations import types from `@solana/kit`. The compiler names the inner package that declares a type, such
 * as `@solana/addresses`. This package does not depend on it, and kit exports the same types.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '../dist');
for (const name of await readdir(dist)) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(dist, name);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/'@solana\/(?!kit')[\w-]+'/g, "'@solana/kit'"));
}

/**
 * The compiler writes types of kit as of the package inside kit that declares them, such as `@solana/addresses`, which
 * this package does not depend on. Kit exports them all.
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

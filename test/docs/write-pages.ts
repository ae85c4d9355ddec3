/** Writes the pages that are made from code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_PAGES } from './generated-pages.ts';

for (const [path, current] of Object.entries(GENERATED_PAGES)) {
  const file = join(import.meta.dirname, '../..', path);
  writeFileSync(file, current(readFileSync(file, 'utf8')));
}

/** Writes the tables of wallets in the docs. With --check, only checks that they are current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PAGES_WITH_TABLES, withTable } from './tables.ts';

for (const [path, has] of Object.entries(PAGES_WITH_TABLES)) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const page = readFileSync(file, 'utf8');
  const current = withTable(page, has);
  if (!process.argv.includes('--check')) writeFileSync(file, current);
  else if (current !== page) {
    process.stderr.write(`${path} is not current: run npm run docs:wallets\n`);
    process.exitCode = 1;
  }
}

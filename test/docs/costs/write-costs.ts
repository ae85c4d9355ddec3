/** Measures what each write costs on the local stack, and writes the tables of docs/for-issuers.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withCosts } from './costs-table.ts';
import { measureCosts } from './measure-costs.ts';

const page = fileURLToPath(new URL('../../../docs/for-issuers.md', import.meta.url));
writeFileSync(page, withCosts(readFileSync(page, 'utf8'), await measureCosts()));

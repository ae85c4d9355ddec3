/** Runs the scenes of the matrix, and writes the table of powers.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { measurePowers, powersTable } from '../test/powers/powers.ts';

const PAGE = new URL('../powers.md', import.meta.url);
const TABLE = /(?<=<!-- powers -->\n).*(?=<!-- end of powers -->)/s;

const page = readFileSync(PAGE, 'utf8');
if (!TABLE.test(page)) throw new Error('powers.md has no place for the table.');
const table = `\n${powersTable(await measurePowers())}\n\n`;
writeFileSync(
  PAGE,
  page.replace(TABLE, () => table),
);

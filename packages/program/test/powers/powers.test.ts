/** The table of powers.md against executions. `npm run generate -- powers` writes it again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measurePowers, powersTable } from './powers.ts';

const PAGE = new URL('../../powers.md', import.meta.url);
const TABLE = /(?<=<!-- powers -->\n).*(?=<!-- end of powers -->)/s;

it('powers.md has the current table (npm run generate -- powers)', async () => {
  const table = `\n${powersTable(await measurePowers())}\n\n`;
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.POWERS === 'write')
    writeFileSync(
      PAGE,
      page.replace(TABLE, () => table),
    );
  else expect(TABLE.exec(page)?.[0]).toBe(table);
}, 180_000);

/** Writes packages/testing/hostile-modes.md from the modes that the tests play. With --check, only checks that it is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HOSTILE_MODES } from '@service/testing';
import { hostileServicePage } from './support/modes-page.ts';

const file = fileURLToPath(new URL('../../packages/testing/hostile-modes.md', import.meta.url));
const page = hostileServicePage(HOSTILE_MODES);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page) {
  process.stderr.write('packages/testing/hostile-modes.md is not current: run npm run docs:hostile\n');
  process.exitCode = 1;
}

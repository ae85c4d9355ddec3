/** Writes docs/hostile-service.md from the modes that the tests play. With --check, only checks that it is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HOSTILE_MODES } from '@service/testing';
import { hostileServicePage } from './support/modes-page.ts';

const file = fileURLToPath(new URL('../../docs/hostile-service.md', import.meta.url));
const page = hostileServicePage(HOSTILE_MODES);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page) {
  process.stderr.write('docs/hostile-service.md is not current: run npm run docs:hostile\n');
  process.exitCode = 1;
}

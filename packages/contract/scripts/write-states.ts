/** Draws the diagrams of docs/operations.md anew; with --check it only says whether they are current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withDiagrams } from './states.ts';

const file = fileURLToPath(new URL('../../../docs/operations.md', import.meta.url));
const page = readFileSync(file, 'utf8');
if (!process.argv.includes('--check')) writeFileSync(file, withDiagrams(page));
else if (withDiagrams(page) !== page) {
  process.stderr.write('docs/operations.md is not current: run npm run docs:states\n');
  process.exitCode = 1;
}

/** Writes the state diagrams of docs/operations.md. With --check it only reports whether they are current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withDiagrams } from './states.ts';

const file = fileURLToPath(new URL('../../../docs/operations.md', import.meta.url));
const page = readFileSync(file, 'utf8');
if (!process.argv.includes('--check')) writeFileSync(file, withDiagrams(page));
else if (withDiagrams(page) !== page) {
  process.stderr.write('The diagrams of docs/operations.md are out of date. Run npm run docs:states.\n');
  process.exitCode = 1;
}

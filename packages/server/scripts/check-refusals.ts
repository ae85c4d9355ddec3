/**
 * Checks that the tests reached every error code of every route over HTTP. Pass the file that a run of all tests recorded:
 * REFUSALS=<file> npm test, then this command with <file>.
 */
import { readFileSync } from 'node:fs';
import { errorCodesOf, FILE_ROUTES, ROUTES, type RouteName } from '@service/contract';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Pass the file that the run recorded.');
const reached = new Set(readFileSync(file, 'utf8').split('\n'));
const routes = Object.keys({ ...ROUTES, ...FILE_ROUTES }) as RouteName[];
const missing = routes
  .flatMap((route) => errorCodesOf(route).map((code) => `${route} ${code}`))
  .filter((refusal) => !reached.has(refusal));
if (missing.length > 0) {
  process.stderr.write(`No test reaches:\n${missing.join('\n')}\n`);
  process.exitCode = 1;
}

/**
 * Writes docs/codes.md from the refusals that a test run reached and recorded in a file (REFUSALS=<file> vitest run). With
 * --check, it only checks that the page matches that run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ReachedRefusal } from '@service/server/test-service';
import { refusalPage, staleRows, unreached } from '../test/support/refusal-table.ts';

const target = fileURLToPath(new URL('../../../docs/codes.md', import.meta.url));
const recorded = process.argv.slice(2).find((argument) => argument !== '--check');
if (!recorded) {
  throw new Error(
    'Pass the file that the run recorded: REFUSALS=<file> npm test, then this command with <file>.',
  );
}
const reached = readFileSync(recorded, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as ReachedRefusal);

if (process.argv.includes('--check')) {
  const stale = staleRows(readFileSync(target, 'utf8'), reached);
  if (stale.length > 0) fail(`docs/codes.md is not current. Run npm run docs:codes.\n${stale.join('\n')}`);
} else {
  writeFileSync(target, refusalPage(reached));
  const missing = unreached(reached).map(({ route, code }) => `${route} ${code}`);
  if (missing.length > 0) fail(`No test reaches:\n${missing.join('\n')}`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

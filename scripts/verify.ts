/**
 * `npm run verify`: checks that every generated file is current, and changes none.
 *
 * - It runs `npm run generate` in a copy of the checkout, and compares the copy with the checkout.
 * - It compares what other tools built with the records of their inputs. `-- --full` builds all of that again and
 *   compares the bytes, which needs Debian 12 and Rust.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARTIFACTS } from './artifacts.ts';
import { copyCheckout } from './checkout-copy.ts';
import { differencesOf } from './records.ts';

const ROOT = join(import.meta.dirname, '..');
/** A longer difference is cut. */
const SHOWN_CHARACTERS = 8_000;

const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } } });

for (const artifact of ARTIFACTS) {
  const differences = differencesOf(artifact);
  if (differences.length === 0) {
    console.log(`${artifact.name}: ${artifact.record} is current`);
    continue;
  }
  const files = differences.map((each) => `  ${each}\n`).join('');
  fail(
    `${artifact.name}: not built or checked since these changes:\n${files}Run ${artifact.build}, and commit the result.`,
  );
}
compareGenerated();
if (values.full) rebuild();

/** Runs the generators in a copy, and fails if that changes a file. */
function compareGenerated(): void {
  const copy = copyCheckout();
  try {
    const generate = join(copy.folder, 'scripts/generate.ts');
    if (!succeeds(process.execPath, ['--import', 'tsx', generate], copy.folder))
      fail('A generator failed. Its output is above.');
    const difference = copy.difference();
    if (difference === '') {
      console.log('Every file that npm run generate writes is current.');
      return;
    }
    console.error(difference.slice(0, SHOWN_CHARACTERS));
    fail('The files above are not current. Run npm run generate, and commit the result.');
  } finally {
    copy.remove();
  }
}

/** Builds everything that other tools build, and compares the bytes. */
function rebuild(): void {
  const commands = ARTIFACTS.flatMap(({ compare }) => compare);
  for (const command of ['npm run toolchain -w @service/program', ...commands]) {
    console.log(`== ${command}`);
    if (!succeeds('npm', command.split(' ').slice(1), ROOT)) fail(`${command} failed. Its output is above.`);
  }
}

function succeeds(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

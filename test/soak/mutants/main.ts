/**
 * `npm run campaign -- soak-mutants`: breaks the server on purpose, and fails unless the soak or a test fails each time.
 *
 *   tsx test/soak/mutants/main.ts               one mutant of the soak and one of the tests, by a seed that it prints
 *   tsx test/soak/mutants/main.ts --seed 4711   the same mutants again
 *   tsx test/soak/mutants/main.ts --full        all mutants
 *   tsx test/soak/mutants/main.ts TEXT          those whose names contain TEXT
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../e2e/support/child-process.ts';
import { createRandom } from '../random.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const survivors: string[] = [];
for (const mutant of chosen()) {
  const began = performance.now();
  const killer = killerOf(mutant);
  const took = `${((performance.now() - began) / 1_000).toFixed(0)} s`;
  console.log(
    killer ? `red       ${mutant.name}: ${killer} (${took})` : `SURVIVED  ${mutant.name} (${took})`,
  );
  if (!killer) survivors.push(mutant.name);
}
console.log(`${survivors.length} survived`);
if (survivors.length > 0) process.exitCode = 1;

function chosen(): readonly Mutant[] {
  if (values.full) return MUTANTS;
  const named = MUTANTS.filter(({ name }) => positionals.some((text) => name.includes(text)));
  if (positionals.length > 0) return named;
  console.log(`a sample by the seed ${seed}; --full runs all ${MUTANTS.length}`);
  const random = createRandom(seed);
  const bySoak = (isOfSoak: boolean) => MUTANTS.filter(({ red }) => 'soak' in red === isOfSoak);
  return [random.pick(bySoak(true)), random.pick(bySoak(false))];
}

/** Returns what turned red, or null. A run that could not judge is not red. */
function killerOf({ name, red }: Mutant): string | null {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } });
  if ('soak' in red) {
    const soak = ['--import', 'tsx', 'test/soak/main.ts', '--mutant', name, '--seed', `${seed}`, ...red.soak];
    const { stdout, stderr, status } = run(soak);
    const last = stdout.trim().split('\n').at(-1) ?? '';
    const count = Number(new RegExp(`, (\\d+) ${red.count}[,;]`).exec(last)?.[1] ?? Number.NaN);
    if (Number.isNaN(count)) throw new Error(`The soak of ${name} did not end: ${stderr}\n${stdout}`);
    return status === 1 && count > 0 ? `${count} ${red.count}` : null;
  }
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = 'test/soak/mutants/vitest.config.ts';
  const args = [vitest, 'run', '--config', config, '--bail', '1', '--reporter', 'json', red.tests];
  const { stdout, stderr } = run(args, { SOAK_MUTANT: name });
  const report = /^\{.*"numTotalTests".*$/m.exec(stdout)?.[0];
  if (!report) throw new Error(`The tests of ${name} did not run: ${stderr}\n${stdout.slice(-2_000)}`);
  const { testResults } = JSON.parse(report) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const failed = testResults
    .flatMap((each) => each.assertionResults)
    .find(({ status }) => status === 'failed');
  return failed ? failed.fullName : null;
}

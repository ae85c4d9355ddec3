/**
 * `npm run campaign -- NAME`: runs one of the campaigns, which take too long for `npm test`. Without a name it lists them.
 * The options after the name are those of the campaign.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Command, script, tests } from './commands.ts';

interface Campaign extends Command {
  readonly what: string;
}

const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  answers: {
    what: 'spoils each field of each answer of the RPC; the client must reject it, or still be right',
    command: tests('test/adversarial/answers.test.ts'),
    env: { WHOLE: '1' },
  },
  checks: {
    what: 'removes each check of the client; a test must fail each time',
    command: tests('--config', 'test/adversarial/mutate/vitest.config.ts', '--maxWorkers=1'),
  },
  circuit: {
    what: 'weakens each statement of the circuit; an attack must succeed each time (--short, or TEXT of the names)',
    command: script('packages/circuit/scripts/mutate.ts'),
  },
  issue: {
    what: 'kills issueMany at random and breaks its RPC; no row may be issued twice or lost (ISSUE_RUNS, 500 by default)',
    command: tests('test/sdk/issue-many.test.ts', '-t', 'random kills'),
    env: { ISSUE_RUNS: process.env.ISSUE_RUNS ?? '500' },
  },
  operator: {
    what: 'does what an operator does, with packed tarballs alone, on a real validator (--packages FOLDER, --powers FILE)',
    command: script('test/package/operator-walk.ts'),
  },
  peers: {
    what: 'runs the tests of the SDK and the test tools with the lowest @solana/kit that they accept',
    command: tests('--config', 'test/peers/vitest.config.ts'),
  },
  platform: {
    what: 'removes each global that is newer than the oldest browsers, one by one (TEXT of the names)',
    command: script('test/platform/one-by-one.ts'),
  },
  program: {
    what: 'sends long random sequences of instructions to the program (PROGRAM_FUZZ_RUNS, 20,000 by default)',
    command: tests('packages/program/test/properties'),
    env: { PROGRAM_FUZZ_RUNS: process.env.PROGRAM_FUZZ_RUNS ?? '20000' },
  },
  'rust-client': {
    what: 'compiles the Rust client of the IDL, and compares its bytes with those of the TypeScript client',
    command: script('packages/program/scripts/check-rust-client.ts'),
  },
  soak: {
    what: 'breaks all that the service depends on; it must keep what it acknowledged (--seconds N, --data-dir)',
    command: script('test/soak/main.ts'),
  },
  'soak-mutants': {
    what: 'breaks the server on purpose; the soak or a test must fail each time (--full, --seed N, TEXT of the names)',
    command: script('test/soak/mutants/main.ts'),
  },
};

const [name = '', ...options] = process.argv.slice(2);
const campaign = CAMPAIGNS[name];
if (!campaign) {
  console.error(`npm run campaign -- NAME\n`);
  for (const [each, { what }] of Object.entries(CAMPAIGNS)) console.error(`  ${each.padEnd(12)} ${what}`);
  process.exit(2);
}
const [program, ...args] = campaign.command;
const { status } = spawnSync(program, [...args, ...options], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, ...campaign.env },
  stdio: 'inherit',
});
process.exit(status ?? 1);

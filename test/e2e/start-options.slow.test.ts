/** The command line and the variables of `npm start`: it ends before anything starts. */
import { afterAll, expect, test, vi } from 'vitest';
import { killAll, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000 });

afterAll(killAll);

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = startChild('packages/development/src/start.ts', { args, env, cwd: ROOT });
  return { code: await child.ended, stdout: child.stdout(), stderr: child.stderr() };
}

test('--help prints the options and exits with 0, and an unknown option prints one line and exits with 1', async () => {
  const [help, unknown] = await Promise.all([run(['--help']), run(['--port', '4000'])]);
  expect(help).toEqual({ code: 0, stdout: expect.stringContaining('\n  --data-dir DIR '), stderr: '' });
  expect(help.stdout).toMatch(/^npm start -- \[options\]\n/);
  const remedy = 'Run npm start -- --help, which lists the options.';
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: `Unknown option '--port'. ${remedy}\n` });
});

test('variables of events that are wrong or incomplete print a line, and exit with 2', async () => {
  const url = 'http://127.0.0.1:9/';
  const [incomplete, wrong] = await Promise.all([
    run([], { EVENTS_URL: url }),
    run([], { EVENTS_URL: url, EVENTS_SECRET: 'short' }),
  ]);
  const line = 'EVENTS_URL is set, but EVENTS_SECRET is not. Expected both, or none of them.\n';
  expect(incomplete).toEqual({ code: 2, stdout: '', stderr: line });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr.split('\n').map((each) => each.split(' ')[0])).toEqual(['EVENTS_SECRET', '']);
});

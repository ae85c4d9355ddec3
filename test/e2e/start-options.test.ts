/** The command line of `npm start`: it ends before anything starts. */
import { afterAll, expect, test, vi } from 'vitest';
import { killAll, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000 });

afterAll(killAll);

async function run(...args: string[]) {
  const child = startChild('packages/development/src/start.ts', { args, cwd: ROOT });
  return { code: await child.ended, stdout: child.stdout(), stderr: child.stderr() };
}

test('--help prints the options and exits with 0, and an unknown option prints one line and exits with 1', async () => {
  const [help, unknown] = await Promise.all([run('--help'), run('--port', '4000')]);
  expect(help).toEqual({ code: 0, stdout: expect.stringContaining('\n  --data-dir DIR '), stderr: '' });
  expect(help.stdout).toMatch(/^npm start -- \[options\]\n/);
  const remedy = 'Run npm start -- --help, which lists the options.';
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: `Unknown option '--port'. ${remedy}\n` });
});

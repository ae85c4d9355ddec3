/** `--help` of each command: it prints what the command does, and nothing starts. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { killAll, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000 });

afterAll(killAll);

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

test.each([
  ['start', 'npm start -- [options]', '--data-dir DIR'],
  ['serve', 'Usage: npx @service/server', 'WEBHOOK_SECRET '],
  [
    'cli',
    'Usage: npx @service/cli verify <receipt.json> [--rpc URL] [--program ADDRESS]',
    '--program ADDRESS',
  ],
  ['cli', 'Usage: npx @service/cli deploy [options]', '--payer-file', ['deploy']],
  ['demo', 'npm run demo -- [options]', '--program FILE'],
  ['campaign', 'npm run campaign -- soak [options]', '--seconds COUNT', ['soak']],
])('npm run %s', async (script, first, listed, command: string[] = []) => {
  const file: string = scripts[script].split(' ').at(-1);
  const child = startChild(file, { args: [...command, '--help'], cwd: tmpdir() });
  expect([await child.ended, child.stderr()]).toEqual([0, '']);
  expect(child.stdout().split('\n')[0]).toBe(first);
  expect(child.stdout()).toContain(`\n  ${listed}`);
});

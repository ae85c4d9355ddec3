import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createSolanaRpc } from '@solana/kit';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function start(...options: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  child.stdout.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

it('prints its URL, serves, and stops on Ctrl-C', async () => {
  const { child, output } = start('--port', '0', '--slot-ms', '20', '--finality-slots', '8');
  await once(child.stdout, 'data');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())![0];
  expect(await createSolanaRpc(url).getHealth().send()).toBe('ok');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(output()).toMatch(/finality after 8 slots\)\nlocalnet: stopped at slot \d+\n$/);
});

it('rejects an invalid option and prints the usage', async () => {
  const { child, output } = start('--port', 'eighty');
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(output()).toContain('--port must be a whole number of 0 or more. It is "eighty".');
  expect(output()).toContain('usage:');
});

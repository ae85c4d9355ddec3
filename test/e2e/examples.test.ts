import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.ts$/.test(name));
const loader = ['--import', import.meta.resolve('tsx')];
// Resolves the packages to their sources, although the examples run in another folder.
const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') };
// The examples read deployment.json where they are run.
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
let stack: ChildProcess;

beforeAll(async () => {
  const start = join(root, 'packages/development/src/start.ts');
  const ports = ['--site-port', '0', '--rpc-port', '0', '--verifier-port', '0', '--slot-ms', '100'];
  stack = spawn(process.execPath, [...loader, start, ...ports], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    stack.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)));
    stack.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('ready:')) resolve();
    });
  });
});

afterAll(async () => {
  stack.kill('SIGINT');
  const [code] = await once(stack, 'exit');
  rmSync(folder, { recursive: true });
  expect(code, 'npm start ends cleanly on Ctrl-C').toBe(0);
});

test('there are examples', () => expect(examples.length).toBeGreaterThanOrEqual(5));

// Each has people and rule sets of its own, and waits for slots most of the time.
test.concurrent.each(examples)('%s runs alone', { timeout: 120_000 }, async (name) => {
  const run = promisify(execFile)(process.execPath, [...loader, join(root, 'examples', name)], {
    cwd: folder,
    env,
  });
  const { stdout, stderr } = await run;
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});

test.each(examples)('%s is under 60 lines and imports only what a consumer has', async (name) => {
  const { readFile } = await import('node:fs/promises');
  const source = await readFile(join(root, 'examples', name), 'utf8');
  expect(source.split('\n').length).toBeLessThan(60);
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, module]) => module);
  for (const module of imported)
    expect(module).toMatch(/^(@service\/(sdk(\/\w+)?|testing)|@solana\/kit|node:.+)$/);
});

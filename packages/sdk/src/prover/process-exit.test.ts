import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The bundler that tsup brings along.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;
const repository = path.resolve(import.meta.dirname, '../../../..');

let directory: string;
let program: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'prover-'));
  program = path.join(directory, 'program.mjs');
  await symlink(path.join(repository, 'node_modules'), path.join(directory, 'node_modules'));
  await build({
    entryPoints: [path.join(import.meta.dirname, 'process-exit.fixture.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['snarkjs', 'poseidon-lite'],
    // Bundled, the circuit's own file would no longer say where its artifacts are.
    define: { 'import.meta.dirname': JSON.stringify(path.join(repository, 'packages/circuit/src')) },
  });
});
afterAll(() => rm(directory, { recursive: true }));

/** Runs the program; resolves with what it said and how long it lived after that, in milliseconds. */
function run(
  flags: string[],
  ...args: string[]
): Promise<{ said: string; lingered: number; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let complaint = '';
    let saidAt = Number.NaN;
    child.stdout.on('data', (chunk) => {
      said += chunk;
      saidAt = performance.now();
    });
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ said, lingered: performance.now() - saidAt, code });
      else reject(new Error(`exit code ${code}: ${complaint}`));
    });
  });
}

describe('a process that has proved', () => {
  it.each(['dispose', 'nothing'])(
    'ends within a second, having called %s',
    { timeout: 60_000 },
    async (afterwards) => {
      const { said, lingered } = await run([], afterwards);
      expect(JSON.parse(said)).toEqual({ lengths: [256, 256], threads: true });
      expect(lingered).toBeLessThan(1000);
    },
  );

  it('proves on one thread where it may start no other', { timeout: 60_000 }, async () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const { said, lingered } = await run([flag, '--allow-fs-read=*', '--no-warnings'], 'dispose');
    expect(JSON.parse(said)).toEqual({ lengths: [256, 256], threads: false });
    expect(lingered).toBeLessThan(1000);
  });
});

import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleForNode } from '../../../test/support/prover/bundle.ts';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleForNode('process-exit.ts');
});
afterAll(() => bundle.remove());

const program = () => path.join(bundle.directory, 'program.mjs');

/** Runs Node with it; resolves with what it said and how long it lived after that, in milliseconds. */
function run(args: string[]): Promise<{ said: string; lingered: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
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
      // Nothing is printed but by the program itself, whatever happens.
      if (code === 0 && complaint === '') resolve({ said, lingered: performance.now() - saidAt });
      else reject(new Error(`exit code ${code}: ${complaint}`));
    });
  });
}

describe('a process ends within a second', { timeout: 60_000 }, () => {
  it.each<[string, string, unknown, number]>([
    ['two proofs', 'nothing', [256, 256], 1],
    ['two proofs and disposeProver', 'dispose', [256, 256], 1],
    ['preloadProver', 'preload', 'preloaded', 1],
    ['a proof that failed', 'failure', 'PROVER_FAILED', 1],
    ['an abort', 'abort', 'ABORTED', 1],
    ['a download that stalled', 'stall', 'TIMEOUT', 0],
  ])('after %s', async (_, scenario, answer, workers) => {
    const { said, lingered } = await run([program(), scenario]);
    expect(JSON.parse(said)).toEqual({ answer, here: false, workers });
    expect(lingered).toBeLessThan(1000);
  });

  it('where it may start no thread, and proved on its own', async () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const { said, lingered } = await run([flag, '--allow-fs-read=*', '--no-warnings', program(), 'dispose']);
    expect(JSON.parse(said)).toMatchObject({ answer: [256, 256], here: true });
    expect(lingered).toBeLessThan(1000);
  });

  it('where its own flags are not for a thread', async () => {
    const code = `process.argv.splice(1, 0, 'program'); await import(${JSON.stringify(program())});`;
    const { said } = await run(['--input-type=module', '-e', code, 'dispose']);
    expect(JSON.parse(said)).toEqual({ answer: [256, 256], here: false, workers: 1 });
  });
});

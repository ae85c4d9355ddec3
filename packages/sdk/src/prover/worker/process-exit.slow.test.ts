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

/** Runs Node. Resolves with its output and the milliseconds until it exited after that. */
function run(args: string[]): Promise<{ output: string; lingered: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    let printedAt = Number.NaN;
    child.stdout.on('data', (chunk) => {
      output += chunk;
      printedAt = performance.now();
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      // Only the program itself may print.
      if (code === 0 && errors === '') resolve({ output, lingered: performance.now() - printedAt });
      else reject(new Error(`exit code ${code}: ${errors}`));
    });
  });
}

// Every timer of the prover runs for 10 seconds or longer. A busy machine needs a second to end a process.
const MOST_MS = 5_000;

describe('a process ends by itself', { timeout: 60_000 }, () => {
  it.each<[string, string, unknown, number]>([
    ['two proofs', 'nothing', [256, 256], 1],
    ['two proofs and disposeProver', 'dispose', [256, 256], 1],
    ['preloadProver', 'preload', 'preloaded', 1],
    ['a proof that failed', 'failure', 'PROVER_FAILED', 1],
    ['an abort', 'abort', 'ABORTED', 1],
    ['a download that stalled', 'stall', 'TIMEOUT', 0],
  ])('after %s', async (_, scenario, answer, workers) => {
    const { output, lingered } = await run([program(), scenario]);
    expect(JSON.parse(output)).toEqual({ answer, here: false, workers });
    expect(lingered).toBeLessThan(MOST_MS);
  });

  it('if it may not start threads and proved on its own thread', async () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const { output, lingered } = await run([
      flag,
      '--allow-fs-read=*',
      '--no-warnings',
      program(),
      'dispose',
    ]);
    expect(JSON.parse(output)).toMatchObject({ answer: [256, 256], here: true });
    expect(lingered).toBeLessThan(MOST_MS);
  });

  it('if its flags do not fit a thread', async () => {
    const code = `process.argv.splice(1, 0, 'program'); await import(${JSON.stringify(program())});`;
    const { output } = await run(['--input-type=module', '-e', code, 'dispose']);
    expect(JSON.parse(output)).toEqual({ answer: [256, 256], here: false, workers: 1 });
  });
});

/** Tests how the worker saves memory. The worker runs from a bundle, as in the package. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Bundle, bundleForNode } from '../../../test/support/prover/bundle.ts';
import { serviceError } from '../../../test/support/service-error.ts';

type Proving = typeof import('../../../test/support/prover/proving.ts');

let bundle: Bundle;
let proving: Proving;
let worker: Worker;

beforeAll(async () => {
  bundle = await bundleForNode('proving.ts');
  proving = await import(/* @vite-ignore */ pathToFileURL(path.join(bundle.directory, 'program.mjs')).href);
  process.once('worker', (started: Worker) => {
    worker = started;
  });
  await proving.startProver('own', undefined);
});
afterAll(async () => {
  await proving.disposeProver();
  await bundle.remove();
});

it('the worker has little space for new objects', () => {
  expect(worker.resourceLimits).toMatchObject({ maxYoungGenerationSizeMb: 2 });
});

it('the worker gets the key once, and again after a failure', async () => {
  const posted = vi.spyOn(worker, 'postMessage');
  const prove = (input = proving.input) =>
    proving.proveInTurn(
      input,
      { files: proving.artifacts, loadForSnarkjs: () => Promise.reject(new Error('not needed')) },
      { signal: undefined, onProgress: () => {} },
    );
  expect(await prove()).toHaveLength(256);
  expect(await prove()).toHaveLength(256);
  const wrong = prove({ ...proving.input, region: '39' });
  await expect(wrong).rejects.toThrow(serviceError('PROVER_FAILED'));
  expect(await prove()).toHaveLength(256);
  const keys = posted.mock.calls.map(([{ artifacts }]) => artifacts.compactKey?.length);
  // A buffer that was transferred has no bytes on this thread.
  expect(keys).toEqual([0, undefined, undefined, 0]);
  expect(proving.artifacts.compactKey.length).toBeGreaterThan(0);
});

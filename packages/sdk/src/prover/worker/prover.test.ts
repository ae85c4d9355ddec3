import { expect, it } from 'vitest';
import { input, ownArtifacts } from '../../../test/support/prover/eligible.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { proverInWorker } from './prover.ts';

it('a prover whose worker ended rejects a proof instead of waiting for an answer', async () => {
  const prover = proverInWorker('own');
  // The folder of the sources has no file of the worker, so the worker ends at once.
  await expect(prover.ready).rejects.toThrow(serviceError('PROVER_FAILED', { retryable: true }));
  const proof = prover.prove({ input, artifacts: ownArtifacts }, { signal: undefined, onProgress: () => {} });
  await expect(proof).rejects.toThrow(serviceError('PROVER_FAILED', { retryable: true }));
});

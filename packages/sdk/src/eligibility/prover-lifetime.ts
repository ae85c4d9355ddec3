/** The prover is a chunk of its own, with a thread of its own: when it comes and when it goes. */
import { loadChunk } from '../lib/load-chunk.ts';
import type { ArtifactSource, LoadOptions } from '../prover/artifact-source/artifacts-from.ts';

/**
 * Does ahead of time what the first proof would wait for: loads the prover, loads and checks the artifacts. Not in
 * SPEC.md: how the prover runs.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED, PROVER_FAILED
 */
export async function preloadProver(artifacts: ArtifactSource, options: LoadOptions = {}): Promise<void> {
  const prover = await loadChunk(() => import('../prover/index.ts'), options.signal);
  await prover.preloadProver(artifacts, options);
}

/**
 * Ends the prover's thread and gives back its memory, after any proof that is being made. The next proof starts it
 * again. Not in SPEC.md: how the prover runs.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT
 */
export async function disposeProver(): Promise<void> {
  const prover = await loadChunk(() => import('../prover/index.ts'));
  await prover.disposeProver();
}

/** Starts and ends the prover, which is a separate chunk with its own thread. */
import { checkOptions, checkSource } from '../lib/check-arguments.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import type { ArtifactSource, LoadOptions } from '../prover/artifact-source/artifacts-from.ts';

/**
 * Prepares the first proof: loads the prover and starts it, and loads and checks the artifacts. Not in SPEC.md: how the
 * prover runs.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED, PROVER_FAILED
 */
export async function preloadProver(artifacts: ArtifactSource, options: LoadOptions = {}): Promise<void> {
  checkOptions(options);
  checkSource(artifacts);
  const { startProver } = await loadChunk(() => import('../prover/index.ts'), options.signal);
  await Promise.all([artifacts.load(options), startProver(options.signal)]);
}

/**
 * Ends the prover's thread and frees its memory, after any proof that is being made. The next proof starts it again. Not
 * in SPEC.md: how the prover runs.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT
 */
export async function disposeProver(): Promise<void> {
  const prover = await loadChunk(() => import('../prover/index.ts'));
  await prover.disposeProver();
}

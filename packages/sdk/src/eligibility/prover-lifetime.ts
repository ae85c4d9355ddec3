/** The prover is a chunk of its own, with threads of its own: when it comes and when it goes. */
import type { ArtifactSource, LoadOptions } from '../prover/artifacts/artifacts-from.ts';

/**
 * Does ahead of time what the first proof would wait for: loads the prover, loads and checks the artifacts.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED, PROVER_FAILED
 */
export async function preloadProver(artifacts: ArtifactSource, options: LoadOptions = {}): Promise<void> {
  const prover = await import('../prover/index.ts');
  await prover.preloadProver(artifacts, options);
}

/** Ends the prover's threads and gives back their memory. The next proof starts them again. */
export async function disposeProver(): Promise<void> {
  const prover = await import('../prover/index.ts');
  await prover.disposeProver();
}

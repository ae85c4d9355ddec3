import type { ArtifactSource, LoadOptions } from './artifact-source/artifacts-from.ts';
import { startProver } from './worker/proving-queue.ts';

/**
 * Does ahead of time what the first proof would wait for: loads and checks the artifacts, and starts the prover.
 *
 * @throws ServiceError of {@link ArtifactSource.load}, PROVER_FAILED, NETWORK_ERROR, TIMEOUT
 */
export async function preloadProver(artifacts: ArtifactSource, options: LoadOptions = {}): Promise<void> {
  await Promise.all([artifacts.load(options), startProver(options.signal)]);
}

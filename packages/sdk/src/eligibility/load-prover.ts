import { loadChunk } from '../lib/load-chunk.ts';

/**
 * Loads the prover's chunk when it is first used. It contains Poseidon and the code that loads artifacts, which only a
 * proof needs.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT, ABORTED
 */
export function loadProver(signal?: AbortSignal): Promise<typeof import('./prover-chunk.ts')> {
  return loadChunk(() => import('./prover-chunk.ts'), signal);
}

/** Starts and ends the prover, which is a separate chunk with its own thread. */
import { checkOptions, checkProver, checkSource } from '../lib/check-arguments.ts';
import type { ArtifactSource, LoadOptions } from '../prover/artifact-source/artifacts-from.ts';
import type { CheckedArtifacts } from '../prover/artifact-source/check-artifacts.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { loadProver } from './load-prover.ts';

/**
 * Prepares the first proof: loads the prover and starts it, and loads and checks the artifacts. If the SDK's own
 * prover does not fit the artifacts, it starts snarkjs. With a `prover`, it only loads the artifacts.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED, PROVER_FAILED, UNSUPPORTED_PLATFORM
 */
export async function preloadProver(
  artifacts: ArtifactSource,
  options: LoadOptions & Pick<ProverOptions, 'prover'> = {},
): Promise<void> {
  checkOptions(options);
  checkSource(artifacts);
  checkProver(options.prover);
  const { signal, onProgress, prover } = options;
  if (prover) return void (await artifacts.load({ signal, onProgress, forNative: true }));
  const { startProver } = await loadProver(signal);
  const [files]: [Partial<CheckedArtifacts> | undefined, unknown] = await Promise.all([
    artifacts.load({ signal, onProgress }),
    startProver('own', signal),
  ]);
  // A source of the caller can return anything. The proof checks it.
  if (!files?.compactKey) await startProver('snarkjs', signal);
}

/**
 * Ends the prover's thread and frees its memory, after any proof that is being made. The next proof starts it again.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT
 */
export async function disposeProver(): Promise<void> {
  const prover = await loadProver();
  await prover.disposeProver();
}

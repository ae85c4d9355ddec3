import type { ArtifactSource, LoadOptions } from './artifacts/artifacts-from.ts';
import { withCurve } from './curve.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Does ahead of time what the first proof would wait for: loads and checks the artifacts, and starts the prover.
 *
 * @throws ServiceError of {@link ArtifactSource.load}, and PROVER_FAILED
 */
export async function preloadProver(artifacts: ArtifactSource, options: LoadOptions = {}): Promise<void> {
  const started = withCurve(async () => {});
  await Promise.all([artifacts.load(options), untilAborted(started, options.signal)]);
}

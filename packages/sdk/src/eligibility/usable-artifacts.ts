import { ServiceError } from '../errors.ts';
import { callOutside } from '../lib/unexpected-error.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import { type CheckedArtifacts, checkAgain } from '../prover/artifact-source/check-artifacts.ts';
import { checkSetup } from '../prover/artifact-source/check-setup.ts';
import { orArtifactsInvalid } from '../prover/prover-errors.ts';
import type { EligibilityContext } from './eligibility-context.ts';

/** Returns a source that checks the artifacts again, and rejects another circuit and a setup that the deployment does not accept. */
export function usableArtifacts(context: EligibilityContext, artifacts: ArtifactSource): ArtifactSource {
  return {
    digest: context.artifactsDigest,
    async load(options) {
      const failure = 'The artifacts could not be loaded from the source of the caller. Check that source.';
      const loaded = await orArtifactsInvalid(failure, options?.signal, async () =>
        checkAgain(
          context.artifactsDigest,
          await callOutside(async () => partsOf(await artifacts.load(options))),
          options,
        ),
      );
      await checkSetup(loaded, context);
      if (loaded.manifest.circuit !== context.circuit) {
        throw new ServiceError('ARTIFACTS_INVALID', {
          message: `The artifacts belong to the circuit ${loaded.manifest.circuit}, but the program accepts proofs of ${context.circuit}. Get the operator's current deployment.json.`,
        });
      }
      return loaded;
    },
  };
}

/** Reads each property of what a source returned once, because a getter could return something else the next time. */
function partsOf({
  digest,
  manifest,
  wasm,
  zkey,
  vkey,
  key,
  compactKey,
}: CheckedArtifacts): CheckedArtifacts {
  return { digest, manifest, wasm, zkey, vkey, key, compactKey };
}

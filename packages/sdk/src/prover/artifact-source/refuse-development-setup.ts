import { MAINNET_GENESIS_HASH } from '@service/contract';
import type { ArtifactManifest } from '@service/protocol/eligibility';
import { artifactsInvalid } from '../prover-errors.ts';

/**
 * Refuses keys from a development setup on mainnet: their trapdoor is public, so proofs under them prove nothing.
 *
 * @throws ServiceError ARTIFACTS_INVALID
 */
export function refuseDevelopmentSetup(manifest: ArtifactManifest, genesisHash: string): void {
  if (genesisHash === MAINNET_GENESIS_HASH && manifest.setup.kind !== 'ceremony') {
    throw artifactsInvalid(
      `${manifest.circuit} has a development setup, under which anyone can forge proofs. Mainnet needs a ceremony.`,
    );
  }
}

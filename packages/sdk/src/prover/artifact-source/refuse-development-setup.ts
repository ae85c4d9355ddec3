import { MAINNET_GENESIS_HASH } from '@service/contract/deployment';
import type { ArtifactManifest } from '@service/protocol/eligibility';
import { artifactsInvalid } from '../prover-errors.ts';

/**
 * Rejects keys of a development setup on mainnet. Their trapdoor is public, so anyone can forge proofs.
 *
 * @throws ServiceError ARTIFACTS_INVALID
 */
export function refuseDevelopmentSetup(manifest: ArtifactManifest, genesisHash: string): void {
  if (genesisHash === MAINNET_GENESIS_HASH && manifest.setup.kind !== 'ceremony') {
    throw artifactsInvalid(
      `The keys of ${manifest.circuit} come from a development setup, so anyone can forge proofs. Use artifacts of a ceremony on mainnet.`,
    );
  }
}

import type { ArtifactManifest } from '@service/protocol/eligibility';
import { artifactsInvalid } from './prover-errors.ts';

/** Genesis hash of Solana's mainnet. */
const MAINNET_GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

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

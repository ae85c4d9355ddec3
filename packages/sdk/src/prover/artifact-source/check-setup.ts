import { MAINNET_GENESIS_HASH } from '@service/contract/deployment';
import type { SetupProvenance } from '@service/protocol/eligibility/manifest';
import { setupFault } from '@service/protocol/eligibility/setup-fault';
import { artifactsInvalid } from '../prover-errors.ts';
import type { CheckedArtifacts } from './check-artifacts.ts';

/** Which setups are accepted, and where. */
export interface AcceptedSetups {
  readonly genesisHash: string;
  readonly acceptedSetups?: readonly SetupProvenance['kind'][] | undefined;
}

/**
 * Rejects keys whose setup the deployment does not accept, and keys that are not what their manifest says. On mainnet, accepts
 * only keys of a ceremony. Whoever knows the trapdoor of a key can forge proofs.
 *
 * @throws ServiceError ARTIFACTS_INVALID
 */
export async function checkSetup(
  { manifest: { circuit, setup }, key }: Pick<CheckedArtifacts, 'manifest' | 'key'>,
  { genesisHash, acceptedSetups = ['ceremony'] }: AcceptedSetups,
): Promise<void> {
  const onMainnet = genesisHash === MAINNET_GENESIS_HASH;
  if (!acceptedSetups.includes(setup.kind) || (onMainnet && setup.kind !== 'ceremony')) {
    const accepted = onMainnet ? 'mainnet needs "ceremony"' : 'acceptedSetups of the deployment lacks it';
    throw artifactsInvalid(
      `The keys of ${circuit} come from the setup "${setup.kind}", but ${accepted}. Get the operator's current deployment.json.`,
    );
  }
  const fault = await setupFault(setup, key);
  if (fault) {
    throw artifactsInvalid(
      `The manifest says that the keys of ${circuit} come from the setup "${setup.kind}", but ${fault}. Do not use this deployment.`,
    );
  }
}

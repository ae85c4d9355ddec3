/** `GET /api/network`: governance and the network configuration (SPEC.md section 4). */
import type { NetworkConfiguration } from '@service/contract';
import { circuitRecordOf, governanceOf, verifierRecordOf } from '@service/protocol';
import { unwrapOption } from '@solana/kit';
import { findAccount, findAccounts, sumOfFees } from '../chain-index/find.ts';
import { readTreasury } from '../chain-index/free-lamports.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import type { Service } from '../service.ts';
import { acceptedCircuits } from './can-prove.ts';
import { readUpgradeAuthority } from './upgrade-authority.ts';

/**
 * Returns governance, the verifiers and the circuits from the index, and the upgrade authority from the chain. The held pass
 * fees are those of the treasury, from the chain, and those that the rule sets in the index still hold for it. chainTime is the
 * Clock sysvar of the newest finalized slot. It is behind the wall clock by the time to finality.
 *
 * @throws ServiceFault INDEX_STALE
 */
export async function readNetwork(service: Service, signal: AbortSignal): Promise<NetworkConfiguration> {
  const { tip } = await assertIndexFresh(service);
  const [config, verifiers, circuits, collected, uncollected, upgradeAuthority] = await Promise.all([
    findAccount(service, 'config'),
    findAccounts(service, 'verifier'),
    findAccounts(service, 'circuit'),
    readTreasury(service, signal),
    sumOfFees(service),
    readUpgradeAuthority(service, signal),
  ]);
  const active = config && unwrapOption(config.data.activeCircuit);
  const circuit = circuits.find(({ address }) => address === active);
  return {
    ...(config ? governanceOf(config, tip.time) : { governance: null, passFee: null }),
    verifiers: verifiers.map(verifierRecordOf),
    circuit: circuit ? circuitRecordOf(circuit) : null,
    circuits: acceptedCircuits(circuits, tip.time).map(circuitRecordOf),
    upgradeAuthority,
    passFeesHeld: collected + uncollected,
    chainTime: tip.time,
  };
}

/** `GET /api/network`: governance and the network configuration (SPEC.md section 4). */
import type { NetworkConfiguration } from '@service/contract';
import {
  circuitRecordOf,
  findProgramDataAddress,
  governanceOf,
  PROGRAM_DATA_HEADER_BYTES,
  upgradeAuthorityOf,
  verifierRecordOf,
} from '@service/protocol';
import { type Address, getBase64Encoder, unwrapOption } from '@solana/kit';
import { findAccount, findAccounts, sumOfFees } from '../chain-index/find.ts';
import { readTreasury } from '../chain-index/free-lamports.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import type { Service } from '../service.ts';
import { acceptedCircuits } from './can-prove.ts';

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

/**
 * Reads who can replace the program, at finalized: null if nobody can. Config only records who could when governance last wrote
 * it. Throws the RPC's errors.
 */
async function readUpgradeAuthority(
  { rpc, settings }: Pick<Service, 'rpc' | 'settings'>,
  abortSignal: AbortSignal,
): Promise<Address | null> {
  const { value } = await rpc
    .getAccountInfo(await findProgramDataAddress(settings.program), {
      commitment: 'finalized',
      encoding: 'base64',
      dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER_BYTES },
    })
    .send({ abortSignal });
  // A program that was never deployed.
  if (!value) return null;
  const found = upgradeAuthorityOf(value.owner, getBase64Encoder().encode(value.data[0]));
  if (found === undefined) {
    throw new Error(
      `The program data of ${settings.program} is not of the upgradeable loader. Check the program address.`,
    );
  }
  return found;
}

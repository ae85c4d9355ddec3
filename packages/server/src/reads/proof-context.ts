/** `POST /api/proofs/context`: the records that a proof must use (SPEC.md section 4). */
import type { ProofContext } from '@service/contract';
import { circuitRecordOf, credentialRecordOf, passFeeAt, verifierRecordOf } from '@service/protocol';
import { unwrapOption } from '@solana/kit';
import { findAccount } from '../chain-index/find.ts';
import { assertIndexFresh } from '../chain-index/freshness.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import { assertCanProve } from './can-prove.ts';
import { ruleSetRecords } from './rule-sets.ts';

/**
 * Returns the wallet's credential, the rule set, the credential's verifier, the active circuit, the pass fee and chain time.
 *
 * @throws ServiceFault INDEX_STALE, NOT_FOUND (no such rule set), the faults of assertCanProve, and UNAVAILABLE while
 * governance has not set a circuit.
 */
export async function readProofContext(
  service: Service,
  { wallet, body: { rule }, signal }: RouteInput<'proofContext'>,
): Promise<ProofContext> {
  const { tip } = await assertIndexFresh(service);
  const ruleSet = await findAccount(service, 'ruleSet', { address: rule });
  if (!ruleSet) throw new ServiceFault('NOT_FOUND', 'There is no such rule set. Check the address.');
  const credential = await findAccount(service, 'credential', { wallet });
  const verifier =
    credential && (await findAccount(service, 'verifier', { address: credential.data.verifier }));
  assertCanProve({
    credential: credential?.data,
    ruleSet: ruleSet.data,
    verifier: verifier?.data,
    chainTime: tip.time,
  });
  const config = await findAccount(service, 'config');
  const active = config && unwrapOption(config.data.activeCircuit);
  const circuit = active ? await findAccount(service, 'circuit', { address: active }) : undefined;
  if (!config || !circuit) throw new ServiceFault('UNAVAILABLE', 'There is no circuit yet. Retry later.');
  const [record] = await ruleSetRecords(service, [ruleSet], signal);
  return {
    credential: credentialRecordOf(credential!),
    ruleSet: record!,
    verifier: verifierRecordOf(verifier!),
    circuit: circuitRecordOf(circuit),
    passFee: passFeeAt(config.data, tip.time),
    chainTime: tip.time,
  };
}

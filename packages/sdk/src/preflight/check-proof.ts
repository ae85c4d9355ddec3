/** Checks whether a proof would open a pass. If not, says why and who must act. Uses the caller's own RPC, and proves nothing. */
import { latestPassExpiry } from '../eligibility/pass-expiry.ts';
import { checkAddresses } from '../lib/check-arguments.ts';
import { checkGenesisHash } from '../rpc/chain.ts';
import { shortfallIn } from '../rpc/funds.ts';
import { passLifeOf } from '../rpc/pass-life.ts';
import { type SessionOnChain, sessionWallet } from '../session/session.ts';
import type {
  CheckProofOptions,
  CheckProofRequest,
  ProofCheck,
  ProofCheckFacts,
  ProofCheckReason,
} from './proof-check-types.ts';
import {
  feeOf,
  reasonsOfCircuit,
  reasonsOfCredential,
  reasonsOfExpiry,
  reasonsOfFee,
  reasonsOfPause,
  reasonsOfPlace,
  reasonsOfRenewal,
  reasonsOfVerifier,
  reasonsOfWitness,
} from './proof-reasons.ts';
import { type ProofState, readProofState } from './proof-state.ts';

/** See `ServiceClient.checkProof`. */
export async function checkProof(
  client: SessionOnChain,
  { rule, witness, expiresAt, replaces }: CheckProofRequest,
  { signal, wallet: given }: CheckProofOptions,
): Promise<ProofCheck> {
  const wallet = given ?? (await sessionWallet(client.session, signal));
  checkAddresses({ rule, wallet, ...(replaces === undefined ? {} : { replaces }) });
  await checkGenesisHash(client.chain, signal);
  const state = await readProofState(client, { rule, wallet }, signal);
  const { credential, ruleSet, pass, chainTime } = state;
  const latest =
    credential && ruleSet
      ? latestPassExpiry({ chainTime, ruleSet: ruleSet.data, credential: credential.data })
      : null;
  const facts: ProofCheckFacts = {
    chainTime,
    latestExpiresAt: latest !== null && latest > chainTime ? latest : null,
    pass: passLifeOf(pass, state),
    passFee: feeOf(state),
  };
  const badExpiry = reasonsOfExpiry(expiresAt, latest, chainTime);
  const ofWitness = witness ? await reasonsOfWitness(state, { witness, wallet }) : [];
  const isOwn = witness && !ofWitness.some(({ code }) => code === 'WITNESS_INVALID');
  const reasons: ProofCheckReason[] = [
    ...reasonsOfPause(state),
    ...(ruleSet ? [] : [{ code: 'NOT_FOUND', who: 'issuer' } as const]),
    ...reasonsOfCredential(state),
    ...reasonsOfVerifier(state),
    ...reasonsOfCircuit(state),
    ...reasonsOfFee(state),
    ...reasonsOfRenewal(state),
    ...badExpiry,
    ...reasonsOfFunds(state),
    ...ofWitness,
    ...(isOwn ? await reasonsOfPlace(client.chain, state, { rule, witness, wallet, replaces }, signal) : []),
  ];
  if (reasons.length === 0 && facts.latestExpiresAt !== null) {
    return Object.freeze({ ...facts, ok: true, latestExpiresAt: facts.latestExpiresAt });
  }
  for (const reason of reasons) Object.freeze(reason);
  return Object.freeze({ ...facts, ok: false, reasons: Object.freeze(reasons) });
}

function reasonsOfFunds({ funds }: ProofState): ProofCheckReason[] {
  const missing = shortfallIn(funds);
  return missing ? [{ code: 'INSUFFICIENT_FUNDS', who: 'holder', ...missing }] : [];
}

/** Makes the proof of a rule set from the witness. */
import type { ComputeBudget } from '@service/protocol';
import type { Address } from '@solana/kit';
import { buildEligibilityContext } from '../eligibility/eligibility-context.ts';
import {
  type EligibilityProof,
  generateEligibilityProof,
} from '../eligibility/generate-eligibility-proof.ts';
import { latestPassExpiry } from '../eligibility/pass-expiry.ts';
import { placeForProof } from '../eligibility/places.ts';
import { readProof } from '../eligibility/proof-context.ts';
import { waitIfOnItsWay } from '../eligibility/verification.ts';
import { parseWitness } from '../eligibility/witness.ts';
import { checkWitnessOf } from '../eligibility/witness-owner.ts';
import { checkOpens } from '../preflight/check-pass-opens.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { checkCanPay, costOfProof, readFundsNow } from '../rpc/funds.ts';
import { checkMayPrepare } from './outcome/held.ts';
import type { ProveFromWitness } from './requests.ts';
import type { ClientState } from './state.ts';

/** How the operation is paid that will send the proof. */
interface Payment {
  readonly payer: Address;
  readonly budget: ComputeBudget | undefined;
  /** The caller's own key. */
  readonly idempotencyKey?: string | undefined;
}

/** Reads the records from the caller's RPC, then proves on this machine. See `ServiceClient.prove`. */
export async function proofOfWitness(
  state: ClientState,
  defaultArtifacts: ArtifactSource,
  { rule, witness, expiresAt, replaces, artifacts = defaultArtifacts }: ProveFromWitness,
  { onProgress, signal, payer, budget, idempotencyKey }: ProverOptions & Payment,
): Promise<EligibilityProof> {
  const own = parseWitness(witness);
  // Before the proof, which takes seconds. `prepare` checks it again.
  await checkMayPrepare(state, { wallet: payer, key: idempotencyKey }, signal);
  await waitIfOnItsWay(state, own, signal);
  const { context: facts, opening } = await readProof(state, { rule }, signal);
  const context = buildEligibilityContext(
    facts.credential,
    facts.ruleSet,
    expiresAt ?? latestPassExpiry(facts),
  );
  const { wallet } = facts.credential;
  checkWitnessOf(wallet, own);
  const { walletsPerPerson: count, commitment } = context;
  const wanted = { rule, wallet, commitment, witness: own, count, replaces, chainTime: facts.chainTime };
  const place = await placeForProof(state.chain, wanted, signal);
  const cost = costOfProof({ rule, wallet, place }, budget);
  const { funds, chainTime } = await readFundsNow(state.chain, cost, signal);
  checkOpens({ ...opening, chainTime });
  if (wallet === payer) checkCanPay(funds);
  const options = { signal, onProgress, prover: state.prover, place: place?.number };
  return generateEligibilityProof(context, own, artifacts, options);
}

/** Makes the proof of a rule set from the witness. */
import type { ComputeBudget } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import { checkMayPrepare } from '../operations/held.ts';
import type { ProveFromWitness } from '../operations/requests.ts';
import { checkPassOpens } from '../preflight/check-pass-opens.ts';
import { checkFunds, costOfProof } from '../preflight/funds.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { buildEligibilityContext } from './eligibility-context.ts';
import { type EligibilityProof, generateEligibilityProof } from './generate-eligibility-proof.ts';
import { latestPassExpiry } from './pass-expiry.ts';
import { proofContext } from './proof-context.ts';
import { waitIfOnItsWay } from './verification.ts';
import { parseWitness } from './witness.ts';

/** How the operation is paid that will send the proof. */
interface Payment {
  readonly payer: Address;
  readonly budget: ComputeBudget | undefined;
  /** The caller's own key. */
  readonly idempotencyKey?: string | undefined;
}

/** Reads the records from the caller's RPC, then proves on this machine. See `ServiceClient.prove`. */
export async function proofOfWitness(
  core: ClientCore,
  defaultArtifacts: ArtifactSource,
  { rule, witness, expiresAt, artifacts = defaultArtifacts }: ProveFromWitness,
  { onProgress, signal, payer, budget, idempotencyKey }: ProverOptions & Payment,
): Promise<EligibilityProof> {
  const own = parseWitness(witness);
  // Before the proof, which takes seconds. `prepare` checks it again.
  await checkMayPrepare(core, { wallet: payer, key: idempotencyKey }, signal);
  await waitIfOnItsWay(core, own, signal);
  const facts = await proofContext(core, { rule }, { signal });
  const context = buildEligibilityContext(
    facts.credential,
    facts.ruleSet,
    expiresAt ?? latestPassExpiry(facts),
  );
  await checkPassOpens(core, rule, signal);
  const { wallet } = facts.credential;
  if (wallet === payer) await checkFunds(core, costOfProof({ rule, wallet }, budget), signal);
  return generateEligibilityProof(context, own, artifacts, { signal, onProgress });
}

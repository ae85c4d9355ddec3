/** Makes the proof of a rule set from the witness. */
import { priorityFeeLamports } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import type { PriorityFeeOptions } from '../operations/additions/addition-options.ts';
import { askedBudget } from '../operations/additions/priority-fee.ts';
import type { ProveFromWitness } from '../operations/requests.ts';
import { checkPassOpens } from '../preflight/check-pass-opens.ts';
import { checkFunds } from '../preflight/funds.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProverOptions } from '../prover/prove-facts.ts';
import { buildEligibilityContext } from './eligibility-context.ts';
import { type EligibilityProof, generateEligibilityProof } from './generate-eligibility-proof.ts';
import { latestPassExpiry } from './pass-expiry.ts';
import { proofContext } from './proof-context.ts';
import { parseWitness } from './witness.ts';

/** Reads the records from the caller's RPC, then proves on this machine. See `ServiceClient.prove`. */
export async function proofOfWitness(
  core: ClientCore,
  defaultArtifacts: ArtifactSource,
  { rule, witness, expiresAt, artifacts = defaultArtifacts }: ProveFromWitness,
  { onProgress, payer, ...options }: ProverOptions & PriorityFeeOptions & { readonly payer: Address },
): Promise<EligibilityProof> {
  const { signal } = options;
  const own = parseWitness(witness);
  const facts = await proofContext(core, { rule }, { signal });
  const context = buildEligibilityContext(
    facts.credential,
    facts.ruleSet,
    expiresAt ?? latestPassExpiry(facts),
  );
  await checkPassOpens(core, rule, signal);
  const { wallet } = facts.credential;
  if (wallet === payer) {
    const budget = await askedBudget(core, { kind: 'PROVE', wallet, request: { rule } }, options);
    const intent = { kind: 'PROVE', wallet, rule, expiresAt: 0n, proof: new Uint8Array() } as const;
    await checkFunds(core, { intent, priorityFee: priorityFeeLamports(budget ?? {}) }, signal);
  }
  return generateEligibilityProof(context, own, artifacts, { signal, onProgress });
}

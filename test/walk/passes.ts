/** Steps: an eligibility proof and its pass. */
import { programAddresses } from '@service/protocol';
import { getConfigDecoder, getPassDecoder } from '@service/protocol/generated';
import { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } from '@service/sdk';
import { unwrapOption } from '@solana/kit';
import { accountOf, lamportsOf, same } from './chain-check.ts';
import { operationStep } from './report.ts';
import type { Actor, WalkState } from './walk-state.ts';

/** An actor proves the rule set. The pass must exist on chain, and the pass fee must be in the treasury. */
export async function provePass(state: WalkState, actor: Actor): Promise<void> {
  const { deployment, rpc, rule } = state;
  const at = programAddresses(deployment.program);
  await operationStep(state, `${actor.name} proves the rule set and gets a pass`, async (options) => {
    const { client, wallet, witness } = actor;
    if (!witness) throw new Error(`${actor.name} has no witness.`);
    let lastPhase = '';
    const before = await readFunds(state);
    const facts = await client.proofContext({ rule });
    const expiresAt = latestPassExpiry(facts);
    const context = buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);
    const proof = await generateEligibilityProof(context, witness, client.artifacts, {
      onProgress: ({ phase }) => {
        if (phase !== lastPhase) options.waiting(`proof: ${phase}`);
        lastPhase = phase;
      },
    });
    state.proofs.set(actor.name, proof);
    const proved = await client.prove(wallet, proof, options);

    const pass = getPassDecoder().decode(
      (await accountOf(rpc, await at.pass(rule, wallet.address), deployment.program)).data,
    );
    same(
      'pass',
      [pass.rule, pass.wallet, pass.expiresAt, pass.verifier],
      [rule, wallet.address, expiresAt, facts.credential.verifier],
    );
    const after = await readFunds(state);
    same('fee', after.fee, before.fee);
    same('pass funds', after.funds, before.funds - before.fee);
    same('treasury', after.treasury, before.treasury + before.fee);
    same('fees collected', after.collected, before.collected + before.fee);
    return proved;
  });
}

async function readFunds({ deployment, rpc, rule }: WalkState) {
  const at = programAddresses(deployment.program);
  const config = getConfigDecoder().decode(
    (await accountOf(rpc, await at.config(), deployment.program)).data,
  );
  return {
    funds: await lamportsOf(rpc, rule),
    treasury: await lamportsOf(rpc, await at.treasury()),
    collected: config.feesCollected,
    fee: unwrapOption(config.passFee) ?? 0n,
  };
}

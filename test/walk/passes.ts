/** Steps: an eligibility proof and its pass. */
import { getConfigDecoder, getPassDecoder } from '@service/protocol/generated';
import { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } from '@service/sdk';
import { unwrapOption } from '@solana/kit';
import { lamportsOf, same } from './chain-check.ts';
import { operationStep } from './report.ts';
import { type Actor, decodedAccount, type WalkState } from './walk-state.ts';

/** An actor proves the rule set. The pass must exist on chain, and the pass fee must be in the treasury. */
export async function provePass(state: WalkState, actor: Actor): Promise<void> {
  const { at, report, rule } = state;
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
        if (phase !== lastPhase) report.waiting(`proof: ${phase}`);
        lastPhase = phase;
      },
    });
    state.proofs.set(actor.name, proof);
    const proved = await client.prove(wallet, proof, options);

    const pass = await decodedAccount(state, await at.pass(rule, wallet.address), getPassDecoder());
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

async function readFunds(state: WalkState) {
  const { at, rpc, rule } = state;
  const config = await decodedAccount(state, await at.config(), getConfigDecoder());
  return {
    funds: await lamportsOf(rpc, rule),
    treasury: await lamportsOf(rpc, await at.treasury()),
    collected: config.feesCollected,
    fee: unwrapOption(config.passFee) ?? 0n,
  };
}

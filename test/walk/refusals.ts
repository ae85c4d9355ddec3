/** The three refusals: on chain by the transfer hook, locally by the SDK, on chain by the prove instruction. */
import { proveInstruction } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING,
  RULE_SET_PASS_ERROR__PROOF_INVALID,
} from '@service/protocol/generated';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  isServiceError,
  latestPassExpiry,
} from '@service/sdk';
import { callsTo, errorOf } from '@service/test-support';
import type { Signature } from '@solana/kit';
import { customErrorOf, lamportsOf, same, tokensOf, transactionOf } from './chain-check.ts';
import { accountOfActor } from './issuing.ts';
import { runStep, type WalkState } from './walk-state.ts';

/** A transfer to the outsider fails on chain in the hook and changes nothing. */
export async function refuseOutsider(state: WalkState): Promise<void> {
  const { issuer, outsider, mint, rpc } = state;
  await runStep(state, 'REFUSED ON CHAIN: a transfer to the outsider, who has no pass', async () => {
    const source = await accountOfActor(state, issuer);
    const destination = await accountOfActor(state, outsider);
    const before = [await tokensOf(rpc, source), await tokensOf(rpc, destination)];
    const lamportsBefore = await lamportsOf(rpc, issuer.wallet.address);

    const prepared = await issuer.client.prepare.transfer({ mint, source, destination, amount: 1n });
    const sent = await issuer.client.signAndSubmit(issuer.wallet, prepared);
    const failure = await errorOf(issuer.client.waitForOperation(sent.operationId));
    if (!isServiceError(failure, 'OPERATION_FAILED')) throw failure;
    const signature = sent.signature as Signature;
    same('program error', failure.context.programError?.code, RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING);

    const { error, fee } = await transactionOf(rpc, signature);
    same('error on chain', customErrorOf(error), RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING);
    same('tokens', [await tokensOf(rpc, source), await tokensOf(rpc, destination)], before);
    same('lamports less the fee', await lamportsOf(rpc, issuer.wallet.address), lamportsBefore - fee);
    return { state: `FAILED ${failure.context.programError?.name}`, signature };
  });
}

/** The outsider's witness does not satisfy the rule set. The SDK refuses it and sends nothing. */
export async function refuseIneligible(state: WalkState): Promise<void> {
  const { outsider, rule } = state;
  await runStep(state, 'REFUSED LOCALLY: the outsider is not eligible', async () => {
    const { client, witness } = outsider;
    if (!witness) throw new Error('The outsider has no witness.');
    const facts = await client.proofContext({ rule });
    const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
    const posted = outsider.posted.length;
    const refusal = await errorOf(generateEligibilityProof(context, witness, client.artifacts));
    if (!isServiceError(refusal, 'NOT_ELIGIBLE')) throw refusal;
    same('requests posted', outsider.posted.length, posted);
    return { state: refusal.code };
  });
}

/** The outsider sends the holder's valid proof directly to the chain. The program refuses it. */
export async function refuseForgery(state: WalkState): Promise<void> {
  const { at, outsider, holder, deployment, cluster, report, rpc, rule } = state;
  const what = "REFUSED ON CHAIN: another wallet's proof, sent without SDK and service";
  await runStep(state, what, async () => {
    const { client, wallet } = outsider;
    const facts = await client.proofContext({ rule });
    const proof = state.proofs.get(holder.name);
    if (!proof) throw new Error('The holder has no proof.');
    const funds = await lamportsOf(rpc, rule);
    const instruction = await proveInstruction(
      deployment.program,
      { ...proof, kind: 'PROVE', wallet: wallet.address, expiresAt: latestPassExpiry(facts) },
      { verifier: facts.verifier.address, circuit: facts.circuit.address },
    );
    const { sendRaw, sign } = callsTo({ rpc } as never);
    const signature = await sendRaw(await sign([wallet], [instruction]));
    report.waiting('waiting for finality');
    await cluster.finalized(signature);

    const { error } = await transactionOf(rpc, signature);
    same('error on chain', customErrorOf(error), RULE_SET_PASS_ERROR__PROOF_INVALID);
    same('pass funds', await lamportsOf(rpc, rule), funds);
    const pass = await at.pass(rule, wallet.address);
    const { value } = await rpc.getAccountInfo(pass, { commitment: 'finalized' }).send();
    same('pass', value, null);
    return { state: 'FAILED PROOF_INVALID', signature };
  });
}

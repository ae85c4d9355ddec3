/** Steps of the creator of a rule set: a pass is granted to a vault, and the pass of the holder is suspended. */
import { NEVER } from '@service/protocol';
import {
  getPassDecoder,
  getRuleSetDecoder,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_SUSPENDED,
} from '@service/protocol/generated';
import { isServiceError } from '@service/sdk';
import { fetchPass } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import type { Address, Signature } from '@solana/kit';
import { customErrorOf, same, tokensOf, transactionOf } from './chain-check.ts';
import { accountOfActor } from './issuing.ts';
import { type DeskState, decodedAccount, operationStep, runStep } from './walk-state.ts';

/** The creator grants a pass to the vault, which can prove nothing. The rule set pays the fee. */
export async function grantPass(state: DeskState): Promise<void> {
  const { issuer, rule, vault, deployment } = state;
  await operationStep(state, 'issuer grants a pass to the vault of a multisig', async (options) => {
    const { fees } = await decodedAccount(state, rule, getRuleSetDecoder());
    const { chainTime } = await issuer.client.network();
    const expiresAt = chainTime + 86_400n;
    const granted = await issuer.client.grant(issuer.wallet, { rule, holder: vault, expiresAt }, options);
    const pass = await passOf(state, vault);
    same('pass', [pass.granted, pass.expiresAt, pass.wallet], [true, expiresAt, vault]);
    same('address', granted.pass, await state.at.pass(rule, vault));
    const paid = (await decodedAccount(state, rule, getRuleSetDecoder())).fees - fees;
    same('fee', paid > 0n, true);
    same('live', ((await fetchPass({ deployment, rule, wallet: vault }))?.secondsLeft ?? 0n) > 0n, true);
    return granted;
  });
}

/** The creator suspends the pass of the holder. */
export async function suspend(state: DeskState): Promise<void> {
  const { issuer, holder, rule } = state;
  await operationStep(state, 'issuer suspends the pass of the holder', async (options) => {
    const request = { rule, holder: holder.wallet.address, until: NEVER };
    const suspended = await issuer.client.suspend(issuer.wallet, request, options);
    const { suspendedUntil } = await passOf(state, holder.wallet.address);
    same('suspended until', suspendedUntil, NEVER);
    return suspended;
  });
}

/** An issue to the suspended holder fails on chain. */
export async function refuseSuspended(state: DeskState): Promise<void> {
  const { issuer, holder, mint, rpc } = state;
  await runStep(state, 'REFUSED ON CHAIN: an issue to the holder, whose pass is suspended', async () => {
    const destination = await accountOfActor(state, holder);
    const before = await tokensOf(rpc, destination);
    const prepared = await issuer.client.prepare.issue({ mint, destination, amount: 1n });
    const sent = await issuer.client.signAndSubmit(issuer.wallet, prepared);
    const failure = await errorOf(issuer.client.waitForOperation(sent.operationId));
    if (!isServiceError(failure, 'OPERATION_FAILED')) throw failure;
    const signature = sent.signature as Signature;
    const expected = RULE_SET_PASS_ERROR__DESTINATION_PASS_SUSPENDED;
    same('error on chain', customErrorOf((await transactionOf(rpc, signature)).error), expected);
    same('tokens', await tokensOf(rpc, destination), before);
    return { state: `FAILED ${failure.context.programError?.name}`, signature };
  });
}

/** The creator lifts the suspension, and the pass is live again. */
export async function lift(state: DeskState): Promise<void> {
  const { issuer, holder, rule, deployment } = state;
  await operationStep(state, 'issuer lifts the suspension', async (options) => {
    const wallet = holder.wallet.address;
    const lifted = await issuer.client.suspend(issuer.wallet, { rule, holder: wallet, until: 0n }, options);
    same('suspended until', (await passOf(state, wallet)).suspendedUntil, 0n);
    same('live', ((await fetchPass({ deployment, rule, wallet }))?.secondsLeft ?? 0n) > 0n, true);
    return lifted;
  });
}

async function passOf(state: DeskState, wallet: Address) {
  return decodedAccount(state, await state.at.pass(state.rule, wallet), getPassDecoder());
}

/** Steps that change a binding: another issuer, and another rule set after seven days. */
import { RULE_CHANGE_DELAY_SECONDS } from '@service/protocol';
import { getMintBindingDecoder } from '@service/protocol/generated';
import { isServiceError } from '@service/sdk';
import {
  acceptIssuer,
  announceRule as announce,
  applyRule as apply,
  nominateIssuer,
} from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import type { Address } from '@solana/kit';
import { same } from './chain-check.ts';
import { type DeskState, decodedAccount, runStep } from './walk-state.ts';

const bindingOf = async (state: DeskState) =>
  decodedAccount(state, await state.at.mintBinding(state.mint), getMintBindingDecoder());

/** The issuer nominates the outsider, who accepts. */
export async function handOver(state: DeskState): Promise<void> {
  const { issuer, outsider, mint, deployment } = state;
  const nominee = outsider.wallet.address;
  await runStep(state, 'issuer nominates another wallet as the issuer', async () => {
    const { signature } = await nominateIssuer(issuer.wallet, { deployment, mint, nominee });
    const { issuer: present, nominee: next } = await bindingOf(state);
    same('issuer and nominee', [present, next], [issuer.wallet.address, nominee]);
    return { state: 'FINALIZED', signature };
  });
  await runStep(state, 'that wallet accepts', async () => {
    const { signature } = await acceptIssuer(outsider.wallet, { deployment, mint });
    same('issuer', (await bindingOf(state)).issuer, nominee);
    return { state: 'FINALIZED', signature };
  });
}

/** The new issuer announces another rule set. The present one stays for seven days. */
export async function announceRule(state: DeskState, rule: Address): Promise<void> {
  const { outsider, mint, deployment } = state;
  await runStep(state, 'the new issuer announces another rule set', async () => {
    const { signature } = await announce(outsider.wallet, { deployment, mint, rule });
    const binding = await bindingOf(state);
    same('rule sets', [binding.rule, binding.nextRule], [state.rule, rule]);
    return { state: 'FINALIZED', signature };
  });
}

/** Nobody can apply it before. */
export async function refuseEarlyRule(state: DeskState): Promise<void> {
  const { holder, mint, deployment } = state;
  await runStep(state, 'REFUSED LOCALLY: the announced rule set before seven days', async () => {
    const refusal = await errorOf(apply(holder.wallet, { deployment, mint }));
    if (!isServiceError(refusal, 'INVALID_ARGUMENT')) throw refusal;
    same('reason', refusal.message.includes('can be applied from'), true);
    same('rule set', (await bindingOf(state)).rule, state.rule);
    return { state: refusal.code };
  });
}

/** After seven days, any wallet can apply it. `skipTime` moves the time of the chain forward. */
export async function applyRule(
  state: DeskState,
  { rule, skipTime }: { rule: Address; skipTime: (seconds: bigint) => void },
): Promise<void> {
  const { holder, mint, deployment } = state;
  await runStep(state, 'seven days later, the holder applies it', async () => {
    skipTime(RULE_CHANGE_DELAY_SECONDS);
    const { signature } = await apply(holder.wallet, { deployment, mint });
    const binding = await bindingOf(state);
    same('rule set and issuer', [binding.rule, binding.issuer], [rule, state.outsider.wallet.address]);
    return { state: 'FINALIZED', signature };
  });
}

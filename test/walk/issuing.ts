/** Steps of the issuer: rule set, pass funds, mint, binding. */
import { programAddresses, TOKEN_2022_PROGRAM } from '@service/protocol';
import { getMintBindingDecoder, getRuleSetDecoder } from '@service/protocol/generated';
import { REGION_GROUPS } from '@service/sdk';
import { createBindableMint, fundRuleSet } from '@service/sdk/chain';
import { getAddressDecoder } from '@solana/kit';
import { accountOf, lamportsOf, same, transactionOf } from './chain-check.ts';
import { operationStep, runStep } from './report.ts';
import type { WalkState } from './walk-state.ts';

const MAX_PASS_AGE_SECONDS = 30n * 86_400n;
const PASS_FUNDS = 1_000_000n;

/** The issuer creates a rule set of two clauses. */
export async function createRuleSet(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc } = state;
  await operationStep(state, 'issuer creates a rule set of two clauses', async (options) => {
    const created = await issuer.client.createRuleSet(
      issuer.wallet,
      {
        name: 'EU professionals',
        clauses: [
          {
            regions: [...REGION_GROUPS.EU],
            statuses: ['accredited', 'professional', 'institutional'],
            minAge: 18,
          },
          { regions: ['CH', 'LI'], statuses: ['professional', 'institutional'], minAge: 21 },
        ],
        maxPassAgeSeconds: MAX_PASS_AGE_SECONDS,
      },
      options,
    );
    state.rule = created.rule;
    const { data } = await accountOf(rpc, state.rule, deployment.program);
    const ruleSet = getRuleSetDecoder().decode(data);
    same(
      'rule set',
      [ruleSet.creator, ruleSet.name, ruleSet.clauses.length, ruleSet.maxPassAgeSeconds],
      [issuer.wallet.address, 'EU professionals', 2, MAX_PASS_AGE_SECONDS],
    );
    same(
      'address',
      state.rule,
      await programAddresses(deployment.program).ruleSet(issuer.wallet.address, ruleSet.nonce),
    );
    return created;
  });
}

/** The issuer adds pass funds by a SOL transfer. */
export async function fundPasses(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc } = state;
  await runStep(state.report, `issuer funds passes with ${PASS_FUNDS} lamports`, async () => {
    const before = await lamportsOf(rpc, state.rule);
    const { signature } = await fundRuleSet(issuer.wallet, {
      deployment,
      rule: state.rule,
      lamports: PASS_FUNDS,
    });
    same('lamports of the rule set', await lamportsOf(rpc, state.rule), before + PASS_FUNDS);
    const { computeUnits } = await transactionOf(rpc, signature);
    return { state: 'FINALIZED', signature, computeUnits };
  });
}

/** The issuer creates a Token-2022 mint that can be bound. */
export async function createMint(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc } = state;
  await runStep(state.report, 'issuer creates a Token-2022 mint', async () => {
    const { mint, signature } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
    state.mint = mint;
    await accountOf(rpc, mint, TOKEN_2022_PROGRAM);
    const { value } = await rpc.getTokenSupply(mint, { commitment: 'finalized' }).send();
    same('supply', value.amount, '0');
    const { computeUnits } = await transactionOf(rpc, signature);
    return { state: 'FINALIZED', signature, computeUnits };
  });
}

/** The issuer binds the mint. The binding must become its mint authority. */
export async function bindMint(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc } = state;
  await operationStep(state, 'issuer binds the mint; transfers check the source, too', async (options) => {
    const request = { mint: state.mint, rule: state.rule, requireSource: true };
    const bound = await issuer.client.bindMint(issuer.wallet, request, options);
    const at = await programAddresses(deployment.program).mintBinding(state.mint);
    const binding = getMintBindingDecoder().decode((await accountOf(rpc, at, deployment.program)).data);
    same(
      'binding',
      [binding.mint, binding.rule, binding.issuer, binding.requireSource],
      [state.mint, state.rule, issuer.wallet.address, true],
    );
    const { data } = await accountOf(rpc, state.mint, TOKEN_2022_PROGRAM);
    same('mint authority', getAddressDecoder().decode(data.slice(4, 36)), at);
    return bound;
  });
}

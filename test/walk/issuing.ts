/** Steps of the issuer: rule set, pass funds, mint, binding. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { getMintBindingDecoder, getRuleSetDecoder } from '@service/protocol/generated';
import { REGION_GROUPS } from '@service/sdk';
import { createBindableMint, fundRuleSet } from '@service/sdk/chain';
import { getAddressDecoder } from '@solana/kit';
import { dataOf, lamportsOf, same, supplyOf } from './chain-check.ts';
import { operationStep, runStep } from './report.ts';
import { decodedAccount, type WalkState } from './walk-state.ts';

const RULE_SET = {
  name: 'EU professionals',
  clauses: [
    { regions: [...REGION_GROUPS.EU], statuses: ['accredited', 'professional', 'institutional'], minAge: 18 },
    { regions: ['CH', 'LI'], statuses: ['professional', 'institutional'], minAge: 21 },
  ],
  maxPassAgeSeconds: 30n * 86_400n,
} as const;
const PASS_FUNDS = 1_000_000n;

/** The issuer creates a rule set of two clauses. */
export async function createRuleSet(state: WalkState): Promise<void> {
  const { client, wallet } = state.issuer;
  await operationStep(state, 'issuer creates a rule set of two clauses', async (options) => {
    const created = await client.createRuleSet(wallet, RULE_SET, options);
    state.rule = created.rule;
    const ruleSet = await decodedAccount(state, state.rule, getRuleSetDecoder());
    same(
      'rule set',
      [ruleSet.creator, ruleSet.name, ruleSet.clauses.length, ruleSet.maxPassAgeSeconds],
      [wallet.address, RULE_SET.name, 2, RULE_SET.maxPassAgeSeconds],
    );
    same('address', state.rule, await state.at.ruleSet(wallet.address, ruleSet.nonce));
    return created;
  });
}

/** The issuer adds pass funds by a SOL transfer. */
export async function fundPasses(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc, rule } = state;
  await runStep(state, `issuer funds passes with ${PASS_FUNDS} lamports`, async () => {
    const before = await lamportsOf(rpc, rule);
    const { signature } = await fundRuleSet(issuer.wallet, { deployment, rule, lamports: PASS_FUNDS });
    same('lamports of the rule set', await lamportsOf(rpc, rule), before + PASS_FUNDS);
    return { state: 'FINALIZED', signature };
  });
}

/** The issuer creates a Token-2022 mint that can be bound. */
export async function createMint(state: WalkState): Promise<void> {
  const { issuer, deployment, rpc } = state;
  await runStep(state, 'issuer creates a Token-2022 mint', async () => {
    const { mint, signature } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
    state.mint = mint;
    await dataOf(rpc, mint, TOKEN_2022_PROGRAM);
    same('supply', await supplyOf(rpc, mint), 0n);
    return { state: 'FINALIZED', signature };
  });
}

/** The issuer binds the mint. The binding must become its mint authority. */
export async function bindMint(state: WalkState): Promise<void> {
  const { issuer, rpc, mint, rule } = state;
  await operationStep(state, 'issuer binds the mint; transfers check the source, too', async (options) => {
    const request = { mint, rule, requireSource: true };
    const bound = await issuer.client.bindMint(issuer.wallet, request, options);
    const address = await state.at.mintBinding(mint);
    const binding = await decodedAccount(state, address, getMintBindingDecoder());
    same(
      'binding',
      [binding.mint, binding.rule, binding.issuer, binding.requireSource],
      [mint, rule, issuer.wallet.address, true],
    );
    const data = await dataOf(rpc, mint, TOKEN_2022_PROGRAM);
    same('mint authority', getAddressDecoder().decode(data.slice(4, 36)), address);
    return bound;
  });
}

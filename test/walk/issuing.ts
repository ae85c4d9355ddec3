/** Steps: rule set, pass funds, mint and binding; then token accounts, issuing and a transfer. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { getMintBindingDecoder, getRuleSetDecoder } from '@service/protocol/generated';
import { REGION_GROUPS, tokenAccountOf } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { getAddressDecoder } from '@solana/kit';
import { dataOf, lamportsOf, same, supplyOf, tokensOf } from './chain-check.ts';
import { type Actor, decodedAccount, operationStep, runStep, type WalkState } from './walk-state.ts';

const RULE_SET = {
  name: 'EU professionals',
  clauses: [
    { regions: [...REGION_GROUPS.EU], statuses: ['accredited', 'professional', 'institutional'], minAge: 18 },
    { regions: ['CH', 'LI'], statuses: ['professional', 'institutional'], minAge: 21 },
  ],
  maxPassAgeSeconds: 30n * 86_400n,
} as const;
const PASS_FUNDS = 1_000_000n;
const ISSUED = 100_000n;
const TRANSFERRED = 12_345n;

/** The issuer creates a rule set of two clauses. */
export async function createRuleSet(state: WalkState): Promise<void> {
  const { client, wallet } = state.issuer;
  await operationStep(state, 'issuer creates a rule set of two clauses', async (options) => {
    const created = await client.createRuleSet(wallet, RULE_SET, options);
    state.rule = created.rule;
    const ruleSet = await decodedAccount(state, state.rule, getRuleSetDecoder());
    const { creator, name, clauses, maxPassAgeSeconds } = ruleSet;
    const expected = [wallet.address, RULE_SET.name, 2, RULE_SET.maxPassAgeSeconds];
    same('rule set', [creator, name, clauses.length, maxPassAgeSeconds], expected);
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
    const expected = [mint, rule, issuer.wallet.address, true];
    same('binding', [binding.mint, binding.rule, binding.issuer, binding.requireSource], expected);
    const data = await dataOf(rpc, mint, TOKEN_2022_PROGRAM);
    same('mint authority', getAddressDecoder().decode(data.slice(4, 36)), address);
    return bound;
  });
}

/** Each actor creates a token account. */
export async function openTokenAccounts(state: WalkState): Promise<void> {
  const { deployment, mint, rpc } = state;
  for (const { name, wallet } of [state.issuer, state.holder, state.outsider]) {
    await runStep(state, `${name} creates a token account`, async () => {
      const { tokenAccount, signature } = await createTokenAccount(wallet, { deployment, mint });
      if (!signature) throw new Error('The token account already existed.');
      same('token account', tokenAccount, await tokenAccountOf({ mint, owner: wallet.address }));
      same('tokens', await tokensOf(rpc, tokenAccount), 0n);
      return { state: 'FINALIZED', signature };
    });
  }
}

/** The issuer issues tokens to itself. */
export async function issueTokens(state: WalkState): Promise<void> {
  const { issuer, mint, rpc } = state;
  await operationStep(state, `issuer issues ${ISSUED} base units`, async (options) => {
    const destination = await accountOfActor(state, issuer);
    const issued = await issuer.client.issue(issuer.wallet, { mint, destination, amount: ISSUED }, options);
    same('issued', await tokensOf(rpc, destination), ISSUED);
    same('supply', await supplyOf(rpc, mint), ISSUED);
    return issued;
  });
}

/** The issuer transfers tokens to the holder. */
export async function transferTokens(state: WalkState): Promise<void> {
  const { issuer, holder, mint, rpc } = state;
  await operationStep(state, `issuer transfers ${TRANSFERRED} to the holder`, async (options) => {
    const source = await accountOfActor(state, issuer);
    const destination = await accountOfActor(state, holder);
    const request = { mint, source, destination, amount: TRANSFERRED };
    const transferred = await issuer.client.transfer(issuer.wallet, request, options);
    same('source', await tokensOf(rpc, source), ISSUED - TRANSFERRED);
    same('destination', await tokensOf(rpc, destination), TRANSFERRED);
    return transferred;
  });
}

/** Derives the token account of an actor for the mint of the walk. */
export function accountOfActor(state: WalkState, actor: Actor) {
  return tokenAccountOf({ mint: state.mint, owner: actor.wallet.address });
}

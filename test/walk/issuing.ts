/** Steps: rule set, pass funds, mint and binding; then token accounts, issuing and a transfer. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { getMintBindingDecoder, getRuleSetDecoder } from '@service/protocol/generated';
import { type CreateRuleSetRequest, REGION_GROUPS, tokenAccountOf } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet, type MintTemplate } from '@service/sdk/chain';
import { type Address, getAddressDecoder } from '@solana/kit';
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

/** The issuer creates a rule set of two clauses. `extra` says in the report what the terms add. */
export async function createRuleSet(
  state: WalkState,
  extra = '',
  terms: Partial<CreateRuleSetRequest> = {},
): Promise<void> {
  const { client, wallet } = state.issuer;
  await operationStep(state, `issuer creates a rule set of two clauses${extra}`, async (options) => {
    const created = await client.createRuleSet(wallet, { ...RULE_SET, ...terms }, options);
    state.rule = created.rule;
    const ruleSet = await decodedAccount(state, state.rule, getRuleSetDecoder());
    const { creator, name, clauses, maxPassAgeSeconds } = ruleSet;
    const expected = [wallet.address, RULE_SET.name, 2, RULE_SET.maxPassAgeSeconds];
    same('rule set', [creator, name, clauses.length, maxPassAgeSeconds], expected);
    same('wallets of a person', ruleSet.walletsPerPerson, terms.walletsPerPerson ?? 0);
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
export async function createMint(state: WalkState, template: MintTemplate = 'plain'): Promise<void> {
  const { issuer, deployment, rpc } = state;
  const what = template === 'plain' ? 'a Token-2022 mint' : `a Token-2022 mint of the template ${template}`;
  await runStep(state, `issuer creates ${what}`, async () => {
    const asked = { deployment, decimals: 2, template };
    const { mint, signature } = await createBindableMint(issuer.wallet, asked);
    state.mint = mint;
    await dataOf(rpc, mint, TOKEN_2022_PROGRAM);
    same('supply', await supplyOf(rpc, mint), 0n);
    return { state: 'FINALIZED', signature };
  });
}

/** The issuer binds the mint. The binding must become its mint authority. */
export async function bindMint(
  state: WalkState,
  { requireSource = true, honoursGranted = false } = {},
): Promise<void> {
  const { issuer, rpc, mint, rule } = state;
  const source = requireSource ? 'transfers check the source, too' : 'transfers check the destination only';
  const terms = honoursGranted ? `${source}, and granted passes count` : source;
  await operationStep(state, `issuer binds the mint; ${terms}`, async (options) => {
    const request = { mint, rule, requireSource, honoursGranted };
    const bound = await issuer.client.bindMint(issuer.wallet, request, options);
    const address = await state.at.mintBinding(mint);
    const binding = await decodedAccount(state, address, getMintBindingDecoder());
    const expected = [mint, rule, issuer.wallet.address, requireSource, honoursGranted];
    const found = [binding.mint, binding.rule, binding.issuer, binding.requireSource, binding.honoursGranted];
    same('binding', found, expected);
    const data = await dataOf(rpc, mint, TOKEN_2022_PROGRAM);
    same('mint authority', getAddressDecoder().decode(data.slice(4, 36)), address);
    return bound;
  });
}

/** Each actor creates a token account. */
export async function openTokenAccounts(state: WalkState): Promise<void> {
  for (const actor of [state.issuer, state.holder, state.outsider])
    await openTokenAccount(state, { name: actor.name, owner: actor.wallet.address, payer: actor });
}

/** Creates the token account of an owner. */
export async function openTokenAccount(
  state: WalkState,
  { name, owner, payer }: { name: string; owner: Address; payer: Actor },
): Promise<void> {
  const { deployment, mint, rpc } = state;
  const what =
    payer.name === name
      ? `${name} creates a token account`
      : `${payer.name} creates a token account of the ${name}`;
  await runStep(state, what, async () => {
    const { tokenAccount, signature } = await createTokenAccount(payer.wallet, { deployment, mint, owner });
    if (!signature) throw new Error('The token account already existed.');
    same('token account', tokenAccount, await tokenAccountOf({ mint, owner }));
    same('tokens', await tokensOf(rpc, tokenAccount), 0n);
    return { state: 'FINALIZED', signature };
  });
}

/** The issuer issues tokens, to itself by default. */
export async function issueTokens(state: WalkState, receiver: Actor = state.issuer): Promise<void> {
  const { issuer, mint, rpc } = state;
  const to = receiver === issuer ? '' : ` to the ${receiver.name}`;
  await operationStep(state, `issuer issues ${ISSUED} base units${to}`, async (options) => {
    const destination = await accountOfActor(state, receiver);
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

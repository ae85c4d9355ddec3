/** What an issuer does with `@service/sdk/chain` after the issue, on a real chain with the real program. */
import { decodeTokenAccount, RULE_CHANGE_DELAY_SECONDS } from '@service/protocol';
import {
  acceptIssuer,
  announceRule,
  applyRule,
  createBindableMint,
  createTokenAccount,
  fetchBinding,
  freezeAccount,
  nominateIssuer,
  pauseMint,
  recover,
  redeem,
  resumeMint,
  thawAccount,
} from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import { type Address, getBase64Encoder } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { useMarket } from './support/market.ts';

const market = useMarket();
let mint: Address;
/** Token accounts of the issuer and of the holder. The first has 1,000 tokens. */
let [source, destination]: Address[] = [];

const chain = () => ({
  deployment: market.deployment,
  rpc: market.world.net.rpc,
  clock: market.clock(),
});
const of = () => ({ ...chain(), mint });
const issuer = () => market.issuer.signer;
const holder = () => market.holder.signer;

async function tokensOf(account: Address) {
  const { value } = await market.world.rpc.getAccountInfo(account, { encoding: 'base64' }).send();
  return decodeTokenAccount(getBase64Encoder().encode(value!.data[0]))!;
}
const amounts = async () => [(await tokensOf(source!)).amount, (await tokensOf(destination!)).amount];
const refused = async (call: Promise<unknown>, text: string, code = 'INVALID_ARGUMENT') => {
  const error = await errorOf(call);
  expect(error).toMatchObject({ code });
  expect((error as Error).message).toContain(text);
};

beforeAll(async () => {
  const { live, rule } = market;
  ({ mint } = await live(() =>
    createBindableMint(issuer(), { ...chain(), decimals: 2, template: 'security' }),
  ));
  await live(() => market.issuer.client.bindMint(issuer(), { mint, rule, requireSource: false }));
  const accountOf = async (owner: Address) =>
    (await live(() => createTokenAccount(issuer(), { ...of(), owner }))).tokenAccount;
  source = await accountOf(issuer().address);
  destination = await accountOf(holder().address);
  const issue = { mint, destination: source, amount: 1_000n };
  await live(() => market.issuer.client.issue(issuer(), issue));
});

describe('the issuer', () => {
  test('recovers and redeems tokens, also of a frozen account', async () => {
    const { live } = market;
    const move = { ...of(), source: source!, destination: destination!, amount: 100n } as const;
    await live(() => recover(issuer(), { ...move, reason: 'lost-key' }));
    expect(await amounts()).toEqual([900n, 100n]);

    await live(() => freezeAccount(issuer(), { ...of(), tokenAccount: source! }));
    await live(() => recover(issuer(), { ...move, reason: 'court-order' }));
    await live(() => redeem(issuer(), { ...move, reason: 'redemption' }));
    expect(await amounts()).toEqual([700n, 200n]);
    expect((await tokensOf(source!)).frozen).toBe(true);
    await live(() => thawAccount(issuer(), { ...of(), tokenAccount: source! }));
    expect((await tokensOf(source!)).frozen).toBe(false);

    await refused(recover(issuer(), { ...move, amount: 701n, reason: 'error' }), 'has 700 base units');
    await refused(recover(issuer(), { ...move, amount: 0n, reason: 'error' }), 'amount must be');
    await refused(recover(issuer(), { ...move, reason: 'because' as never }), 'reason must be one of');
    await refused(
      recover(holder(), { ...move, reason: 'other' }),
      `The issuer of the mint is ${issuer().address}`,
    );
    const other = { ...move, destination: market.destination, reason: 'other' } as const;
    await refused(recover(issuer(), other), 'token account of the mint', 'ACCOUNT_NOT_FOUND');
    const plain = { ...move, mint: market.mint, source: market.source, destination: market.destination };
    await refused(redeem(issuer(), { ...plain, reason: 'other' }), 'without the power to take tokens');
  });

  test('pauses and resumes the mint', async () => {
    const { live } = market;
    const burn = { ...of(), source: source!, amount: 1n, reason: 'other' } as const;
    await live(() => pauseMint(issuer(), of()));
    await expect(live(() => redeem(issuer(), burn))).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
    await live(() => resumeMint(issuer(), of()));
    await live(() => redeem(issuer(), burn));
    await refused(pauseMint(holder(), of()), `The pause authority is ${issuer().address}`);
    await refused(pauseMint(issuer(), { ...of(), mint: market.mint }), 'has no pause authority');
    const freeze = { ...of(), tokenAccount: source! };
    await refused(freezeAccount(holder(), freeze), `The freeze authority is ${issuer().address}`);
  });

  test('hands its role over and back', async () => {
    const { live } = market;
    await refused(acceptIssuer(holder(), of()), 'has nominated nobody');
    await live(() => nominateIssuer(issuer(), { ...of(), nominee: holder().address }));
    await refused(acceptIssuer(issuer(), of()), `The nominated issuer is ${holder().address}`);
    await live(() => acceptIssuer(holder(), of()));
    expect((await fetchBinding(of()))?.issuer).toBe(holder().address);
    await refused(nominateIssuer(issuer(), { ...of(), nominee: null }), 'The issuer of the mint is');
    await live(() => nominateIssuer(holder(), { ...of(), nominee: issuer().address }));
    await live(() => acceptIssuer(issuer(), of()));
    expect((await fetchBinding(of()))?.issuer).toBe(issuer().address);
  });

  test('changes the rule set after seven days', async () => {
    const { live, adults, world } = market;
    const { rule } = await live(() =>
      market.issuer.client.createRuleSet(issuer(), { ...adults, name: 'Next' }),
    );
    await refused(applyRule(holder(), of()), 'No other rule set is announced');
    await live(() => announceRule(issuer(), { ...of(), rule }));
    await refused(applyRule(holder(), of()), 'Wait until then');
    await refused(
      announceRule(issuer(), { ...of(), rule: mint }),
      'rule set of this program',
      'ACCOUNT_NOT_FOUND',
    );
    market.setTime(BigInt(world.net.time) + RULE_CHANGE_DELAY_SECONDS);
    await live(() => applyRule(holder(), of()));
    expect((await fetchBinding(of()))?.rule).toBe(rule);
    expect(rule).not.toBe(market.rule);
  });

  test('can do nothing with a mint that is not bound', async () => {
    const unbound = await market.createMint();
    await refused(
      applyRule(issuer(), { ...of(), mint: unbound }),
      'binding of the mint',
      'ACCOUNT_NOT_FOUND',
    );
  });
});

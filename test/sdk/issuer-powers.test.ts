/** What an issuer does with `@service/sdk/chain` after the issue, on a real chain with the real program. */
import { decodeTokenAccount, programAddresses, RULE_CHANGE_DELAY_SECONDS } from '@service/protocol';
import { getCredentialCodec, getPassCodec, type PassArgs } from '@service/protocol/generated';
import type { ServiceErrorCode } from '@service/sdk';
import {
  acceptIssuer,
  announceRule,
  applyRule,
  createBindableMint,
  createTokenAccount,
  fetchBinding,
  freezeAccount,
  issueMany,
  nominateIssuer,
  pauseMint,
  recover,
  redeem,
  resumeMint,
  thawAccount,
} from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import { type Address, generateKeyPairSigner, getBase64Encoder } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeAccount } from '../support/change-account.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { accountOf } from './support/holders.ts';
import { useMarket } from './support/market.ts';
import { memoryLedger } from './support/memory-ledger.ts';

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
    await refused(recover(issuer(), other), `is a token account of the mint ${market.mint}`);
    const nowhere = { ...move, destination: holder().address, reason: 'other' } as const;
    await refused(recover(issuer(), nowhere), 'token account of the mint', 'ACCOUNT_NOT_FOUND');
    const plain = { ...move, mint: market.mint, source: market.source, destination: market.destination };
    await refused(redeem(issuer(), { ...plain, reason: 'other' }), 'without the power to take tokens');
  });

  test('gives recovered tokens only to whom the program would give them', async () => {
    const { live, rule, world } = market;
    const at = programAddresses(world.program);
    const move = { ...of(), source: source!, amount: 1n, reason: 'other' } as const;
    const recovery = { ...move, destination: destination! };
    const mute = { ...issuer(), signTransactions: () => Promise.reject(new Error('asked')) } as never;
    const stranger = (await generateKeyPairSigner()).address;
    const { tokenAccount } = await live(() => createTokenAccount(issuer(), { ...of(), owner: stranger }));
    const toStranger = recover(mute, { ...move, destination: tokenAccount });
    await expectRefusal(toStranger, 'PASS_REQUIRED', { context: { rule, wallet: stranger } });

    const pass = await at.pass(rule, holder().address);
    const changed = async (change: Partial<PassArgs>, code: ServiceErrorCode, text: string) => {
      const before = await accountOf(market, pass);
      await changeAccount(world.net, pass, getPassCodec(), change);
      await refused(recover(mute, recovery), text, code);
      world.net.addAccounts(new Map([[pass, before]]));
    };
    await changed({ suspendedUntil: 2n ** 40n }, 'PASS_SUSPENDED', 'must lift the suspension');
    await changed({ expiresAt: 1n }, 'PASS_REQUIRED', 'DESTINATION_PASS_EXPIRED');
    await changed({ granted: true }, 'PASS_REQUIRED', 'DESTINATION_PASS_GRANTED');

    const credential = await at.credential(holder().address);
    const before = await accountOf(market, credential);
    await changeAccount(world.net, credential, getCredentialCodec(), { revoked: true });
    await refused(recover(mute, recovery), 'must verify again', 'CREDENTIAL_REQUIRED');
    world.net.addAccounts(new Map([[credential, before]]));

    await live(() => freezeAccount(issuer(), { ...of(), tokenAccount: destination! }));
    await refused(recover(mute, recovery), 'The destination is frozen');
    await live(() => thawAccount(issuer(), { ...of(), tokenAccount: destination! }));
    const own = { ...move, source: destination!, destination: source! };
    await live(() => recover(issuer(), own));
    await live(() => recover(issuer(), recovery));
  });

  test('pauses and resumes the mint', async () => {
    const { live } = market;
    const burn = { ...of(), source: source!, amount: 1n, reason: 'other' } as const;
    await live(() => pauseMint(issuer(), of()));
    const failed = await errorOf(live(() => redeem(issuer(), burn)));
    expect(failed).toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: { isFinal: true, instruction: 0, programError: { code: 67, name: 'MINT_PAUSED' } },
      message: expect.stringMatching(/not sent\. Wait until the issuer calls resumeMint\.$/),
    });
    const paused = 'Its pause authority can call resumeMint';
    const recovery = { ...burn, destination: destination! };
    await refused(recover(issuer(), recovery), paused, 'MINT_PAUSED');
    const rows = [{ destination: source!, amount: 1n }];
    await refused(issueMany(issuer(), { ...of(), rows, ledger: memoryLedger() }), paused, 'MINT_PAUSED');
    const issue = { mint, destination: source!, amount: 1n };
    const reasons = [{ code: 'MINT_PAUSED', who: 'issuer' }];
    expect(await market.issuer.client.checkTransfer(issue)).toMatchObject({ ok: false, reasons });
    const transfer = { ...issue, source: source!, destination: destination! };
    expect(await market.issuer.client.checkTransfer(transfer)).toMatchObject({ ok: false, reasons });
    const onChain = await errorOf(live(() => market.issuer.client.issue(issuer(), issue)));
    expect(onChain).toMatchObject({ context: { programError: { name: 'MINT_PAUSED' } } });
    await live(() => resumeMint(issuer(), of()));
    expect(await market.issuer.client.checkTransfer(issue)).toMatchObject({ ok: true });
    await live(() => redeem(issuer(), burn));
    await refused(pauseMint(holder(), of()), `The pause authority is ${issuer().address}`);
    await refused(pauseMint(issuer(), { ...of(), mint: market.mint }), 'has no pause authority');
    const freeze = { ...of(), tokenAccount: source! };
    await refused(freezeAccount(holder(), freeze), `Only ${issuer().address} can freeze`);
    await refused(thawAccount(holder(), freeze), `Only ${issuer().address} can thaw`);
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

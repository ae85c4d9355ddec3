/** `withdrawPassFunds` on a real chain with the real program. */
import { fetchRuleSet, withdrawPassFunds } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, expect, test } from 'vitest';
import { useMarket } from './support/market.ts';

const market = useMarket();
const options = () => ({
  deployment: market.deployment,
  rpc: market.world.net.rpc,
  clock: market.clock(),
  rule: market.rule,
});
const fundsOf = async () => (await fetchRuleSet(options()))!.passFunds;
const balanceOf = async (address: Address) => (await market.world.rpc.getBalance(address).send()).value;
/** The issuer, whose wallet must not be asked. */
const mute = () =>
  ({
    address: market.issuer.signer.address,
    signTransactions: () => Promise.reject(new Error('asked')),
  }) as never;

let recipient: Address;
beforeAll(async () => {
  recipient = (await generateKeyPairSigner()).address;
});

test('the creator takes a part for another address, then the rest', async () => {
  const before = await fundsOf();
  const lamports = 1_000_000n;
  const { signer } = market.issuer;
  await market.live(() => withdrawPassFunds(signer, { ...options(), lamports, recipient }));
  expect(await balanceOf(recipient)).toBe(lamports);
  expect(await fundsOf()).toBe(before - lamports);
  await expectRefused({ lamports: before - lamports + 1n }, 'lamports', 'Withdraw at most that.');
  const held = await balanceOf(signer.address);
  await market.live(() => withdrawPassFunds(signer, { ...options(), lamports: before - lamports }));
  expect(await fundsOf()).toBe(0n);
  expect(await balanceOf(signer.address)).toBe(held + before - lamports - 5_000n);
});

async function expectRefused(given: object, field: string, text: string, wallet = mute()): Promise<void> {
  const error = await errorOf(withdrawPassFunds(wallet, { ...options(), lamports: 1n, ...given }));
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field } });
  expect((error as Error).message).toContain(text);
}

test('nobody else can, and no wallet is asked for what the chain would reject', async () => {
  const { address } = market.holder.signer;
  const other = { address, signTransactions: () => Promise.reject(new Error('asked')) } as never;
  await expectRefused({}, 'wallet', 'Only the creator', other);
  await expectRefused({ lamports: 0n }, 'lamports', 'above zero');
  await expectRefused({ lamports: 2n ** 64n }, 'lamports', 'below 2^64');
  await expectRefused({ lamports: 1 as never }, 'lamports', 'must be a bigint');
  await expectRefused({ recipient: 'x' }, 'recipient', 'base58');
  await expectRefused({ recipient: market.rule }, 'recipient', 'the rule set itself');
  const error = await errorOf(withdrawPassFunds(mute(), { ...options(), rule: recipient, lamports: 1n }));
  expect(error).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
});

test('a new recipient gets at least its rent', async () => {
  await market.sendFinal([
    getTransferSolInstruction({
      source: market.issuer.signer,
      destination: market.rule,
      amount: 2_000_000n,
    }),
  ]);
  const fresh = (await generateKeyPairSigner()).address;
  await expectRefused({ recipient: fresh }, 'lamports', 'Withdraw at least');
});

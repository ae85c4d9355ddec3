/** An amount that the chain would reject is refused before the wallet signs, so that no fee is lost. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { getApproveInstruction } from '@solana-program/token';
import { expect, test } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const U64_MAX = 2n ** 64n - 1n;

/** Checks that a write of the issuer is refused with its figures, and that the wallet is not asked. */
async function expectTooHigh(kind: 'transfer' | 'issue', context: { amount: bigint; most: bigint }) {
  const { issuer, mint, source, destination } = market;
  const { amount } = context;
  const wallet = countingWallet(issuer.signer);
  const writing =
    kind === 'transfer'
      ? issuer.client.transfer(wallet, { mint, source, destination, amount })
      : issuer.client.issue(wallet, { mint, destination, amount });
  await market.live(() => expectRefusal(writing, 'AMOUNT_TOO_HIGH', { context, retryable: false }));
  expect(wallet.asked).toBe(0);
}

test('a transfer of more than the balance', async () => {
  await expectTooHigh('transfer', { amount: 1_001n, most: 1_000n });
});

test('an issue above the supply that a mint can have', async () => {
  await expectTooHigh('issue', { amount: U64_MAX, most: U64_MAX - 1_000n });
});

test('a transfer of all that is left after the balance was read for the first time', async () => {
  const { issuer, mint, source, destination } = market;
  const { client, signer } = issuer;
  const prepared = await client.prepare.transfer({ mint, source, destination, amount: 1_000n });
  await market.live(() => client.transfer(signer, { mint, source, destination, amount: 1n }));
  const wallet = countingWallet(signer);
  const context = { amount: 1_000n, most: 999n };
  await expectRefusal(client.signAndSubmit(wallet, prepared), 'AMOUNT_TOO_HIGH', { context });
  expect(wallet.asked).toBe(0);
  await market.live(() => client.transfer(signer, { mint, source, destination, amount: 999n }));
  await market.live(() => client.issue(signer, { mint, destination: source, amount: 1_000n }));
});

test('a transfer of more than is delegated to the wallet, and one from an account of somebody else', async () => {
  const { issuer, holder, mint, source, destination } = market;
  const { client, signer } = holder;
  const back = (amount: bigint) =>
    client.transfer(countingWallet(signer), { mint, source, destination, amount });
  await expectRefusal(back(1n), 'AMOUNT_TOO_HIGH', { context: { amount: 1n, most: 0n } });
  const approval = { source, delegate: signer.address, owner: issuer.signer, amount: 20n };
  await market.sendFinal([getApproveInstruction(approval, { programAddress: TOKEN_2022_PROGRAM })]);
  await expectRefusal(back(21n), 'AMOUNT_TOO_HIGH', { context: { amount: 21n, most: 20n } });
  await market.live(() => back(20n));
});

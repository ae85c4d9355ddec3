/** A wallet returns signed bytes that the client does not send. Others can send them, so no write may be done twice. */
import { readAccount } from '@service/protocol';
import type { PreparedOperation } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { type Base64EncodedWireTransaction, getBase64Decoder } from '@solana/kit';
import { expect, test } from 'vitest';
import { countingWallet, slowWallet } from '../support/counting-wallet.ts';
import { payingWallet } from '../support/paying-wallet.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();

const broadcast = (wire: Uint8Array) =>
  market.world.rpc
    .sendTransaction(getBase64Decoder().decode(wire) as Base64EncodedWireTransaction, { encoding: 'base64' })
    .send();

const request = () => ({ mint: market.mint, destination: market.source, amount: 10n });

async function amount(): Promise<bigint> {
  const { rpc, program } = market.world;
  const reader = { rpc, program, commitment: 'processed' } as const;
  return (await readAccount(reader, 'tokenAccount', market.source))!.data.amount;
}

/** Returns a client that has signed the issuer in. */
async function signedIn() {
  const client = market.newClient();
  await client.authenticate(market.issuer.signer, market.deployment.genesisHash);
  return client;
}

/** Asks the wallet to sign, and expects that the client rejects the changed transaction. */
async function refused() {
  const client = await signedIn();
  const before = await amount();
  const paying = payingWallet(market.issuer.signer, { limit: 200_000, price: 1_000n });
  const prepared: PreparedOperation = await client.prepare.issue(request());
  const error = await errorOf(client.signAndSubmit(paying.wallet, prepared));
  expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION', retryable: false });
  expect(paying.signed).toHaveLength(1);
  return { client, before, paying, prepared };
}

test('a changed transaction that the page sends itself is not done a second time', async () => {
  const { client, before, paying, prepared } = await refused();
  const { operationId } = prepared;

  // The wallet is not asked again, and a second operation waits, whether the first has landed or not.
  const again = await errorOf(client.signAndSubmit(paying.wallet, prepared));
  expect(again).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED', context: { operationId } });
  expect(paying.signed).toHaveLength(1);
  const pending = await errorOf(client.prepare.issue(request()));
  expect(pending).toMatchObject({ code: 'SIGNED_OPERATION_PENDING', retryable: true });
  expect((pending as Error).message).toMatch(/in about \d+ seconds/);

  await broadcast(paying.signed[0]!);
  await market.world.finalize();
  const landed = await errorOf(client.prepare.issue(request()));
  expect(landed).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED', context: { operationId } });
  // The service still has the draft, so the wait does not last until it indexes the operation.
  const final = await market.live(() => client.waitForOperation(operationId));
  expect(final).toMatchObject({ kind: 'ISSUE', operationId, indexed: false });
  expect(await amount()).toBe(before + 10n);
  // The caller knows now. What it does next is a new write.
  await market.live(() => client.issue(market.issuer.signer, request()));
  expect(await amount()).toBe(before + 20n);
});

test('a changed transaction that nobody sends lets the next operation through once it has expired', async () => {
  const { client, before, prepared } = await refused();
  const { net } = market.world;
  expect(await errorOf(client.prepare.issue(request()))).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  // A blockhash lives for 150 blocks, and another node may be 128 ahead.
  net.advanceSlots(150);
  expect(await errorOf(client.prepare.issue(request()))).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  net.advanceSlots(200);
  await market.live(() => client.issue(market.issuer.signer, request()));
  expect(await amount()).toBe(before + 10n);
  expect(await errorOf(client.signAndSubmit(market.issuer.signer, prepared))).toMatchObject({
    code: 'DRAFT_EXPIRED',
  });
});

test('a wallet that answers after the call was aborted makes the next operation wait', async () => {
  const client = await signedIn();
  const prepared = await client.prepare.issue(request());
  const { wallet, opened, answer } = slowWallet(countingWallet(market.issuer.signer));
  const controller = new AbortController();
  const signing = errorOf(client.signAndSubmit(wallet, prepared, { signal: controller.signal }));
  await opened;
  controller.abort();
  expect(await signing).toMatchObject({ code: 'ABORTED' });
  // While the prompt is open, the wallet may still sign.
  const again = await errorOf(client.signAndSubmit(wallet, prepared));
  expect(again).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED' });
  await client.prepare.issue(request());
  answer();
  const pending = { code: 'SIGNED_OPERATION_PENDING' };
  await expect.poll(() => errorOf(client.prepare.issue(request()))).toMatchObject(pending);
});

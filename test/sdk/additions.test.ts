/** What wallets add to operations, and priority fees, on a real service and chain. */
import { COMPUTE_UNIT_LIMITS, readOperationInstructions, splitWireTransaction } from '@service/protocol';
import { isServiceError, verifyReceipt } from '@service/sdk';
import { errorOf, ownerGuard } from '@service/test-support';
import { getBase58Decoder, type Signature } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { payingWallet } from '../support/paying-wallet.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const request = () => ({ mint: market.mint, destination: market.source, amount: 10n });
const signer = () => market.issuer.signer;
let client: typeof market.issuer.client;
beforeEach(async () => {
  client = market.newClient();
  await client.authenticate(signer(), market.deployment.genesisHash);
});

/** Returns the message of a landed transaction, and the fee that it paid. */
async function landed(signature: Signature) {
  const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
  const found = await market.world.rpc.getTransaction(signature, config).send();
  const wire = new Uint8Array(Buffer.from(found!.transaction[0], 'base64'));
  return { message: readOperationInstructions(splitWireTransaction(wire)!.message), fee: found!.meta!.fee };
}

describe('a wallet that adds a priority fee', () => {
  test('within the cap is accepted, and the service sends what it signed', async () => {
    const { wallet, signed } = payingWallet(signer(), { limit: 200_000, price: 50_000n });
    const options = { maxPriorityFeeLamports: 10_000n };
    const done = await market.live(() => client.issue(wallet, request(), options));
    expect(signed).toHaveLength(1);
    const { message, fee } = await landed(done.signature);
    expect(message?.budget).toEqual({ limit: 200_000, price: 50_000n });
    expect(fee).toBe(15_000n);
    const receipt = await client.fetchReceipt(done.operationId);
    const checked = await verifyReceipt(receipt, { rpc: market.world.rpc, program: market.world.program });
    expect(checked).toMatchObject({ kind: 'ISSUE', amount: '10' });
  });

  test('above the cap is rejected with both numbers, and nothing is sent', async () => {
    const { wallet } = payingWallet(signer(), { limit: 200_000, price: 50_000n });
    const prepared = await client.prepare.issue(request());
    const options = { maxPriorityFeeLamports: 9_999n };
    const error = await errorOf(client.signAndSubmit(wallet, prepared, options));
    expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
    expect((error as Error).message).toContain('10000 lamports, which is above the cap of 9999');
  });

  test('with guards is rejected without a cap, although guards are allowed, and nothing is sent', async () => {
    const guards = [ownerGuard(signer().address)];
    const { wallet, signed } = payingWallet(signer(), { limit: 200_000, price: 50_000n }, guards);
    const prepared = await client.prepare.issue(request());
    const error = await errorOf(client.signAndSubmit(wallet, prepared, { guards: true }));
    if (!isServiceError(error, 'WALLET_CHANGED_TRANSACTION')) throw error;
    expect(error.context.changes.map(({ kind }) => kind).sort()).toEqual([
      'COMPUTE_LIMIT',
      'GUARD',
      'PRIORITY_FEE',
    ]);
    expect(error.message).toContain('10000 lamports, which is above the cap of 0');
    expect(error.message).toContain('adjust guards or maxPriorityFeeLamports');
    expect(signed).toHaveLength(1);
    const signature = getBase58Decoder().decode(signed[0]!.slice(1, 65)) as Signature;
    const { value } = await market.world.rpc.getSignatureStatuses([signature]).send();
    expect(value).toEqual([null]);
  });

  test.each([Number.NaN, 'many', 1.5, -1n])('under a cap of %s is not asked', async (cap) => {
    const { wallet, signed } = payingWallet(signer(), { limit: 200_000, price: 50_000n });
    const prepared = await client.prepare.issue(request());
    const options = { guards: true, maxPriorityFeeLamports: cap as bigint };
    const error = await errorOf(client.signAndSubmit(wallet, prepared, options));
    expect(isServiceError(error, 'INVALID_ARGUMENT') && error.context.field).toBe('maxPriorityFeeLamports');
    expect(signed).toEqual([]);
    // The operation is still a draft.
    const allowed = { maxPriorityFeeLamports: 10_000n };
    expect(await client.signAndSubmit(wallet, prepared, allowed)).toMatchObject({ state: 'QUEUED' });
    await market.live(() => client.waitForOperation(prepared.operationId));
  });

  test('above the cap of the service is rejected by the service, and nothing is sent', async () => {
    const { wallet } = payingWallet(signer(), { limit: 1_000_000, price: 1_000_001n });
    const prepared = await client.prepare.issue(request());
    const options = { maxPriorityFeeLamports: 2_000_000n };
    const error = await errorOf(client.signAndSubmit(wallet, prepared, options));
    expect(error).toMatchObject({ code: 'TRANSACTION_MISMATCH', status: 400 });
    expect((error as Error).message).toContain('above the cap of 1000000');
  });
});

describe('a priority fee of the caller', () => {
  const feeOf = (price: bigint) => (BigInt(COMPUTE_UNIT_LIMITS.ISSUE) * price) / 1_000_000n;

  test('is in the prepared message, and is paid', async () => {
    const options = { priorityFee: 100_000n, maxPriorityFeeLamports: feeOf(100_000n) };
    const done = await market.live(() => client.issue(signer(), request(), options));
    const { message, fee } = await landed(done.signature);
    expect(message?.budget).toEqual({ limit: COMPUTE_UNIT_LIMITS.ISSUE, price: 100_000n });
    expect(fee).toBe(5_000n + feeOf(100_000n));
  });

  test('above the caller’s cap is an invalid argument, and nothing is sent', async () => {
    const options = { priorityFee: 100_000n, maxPriorityFeeLamports: feeOf(100_000n) - 1n };
    const error = await errorOf(client.prepare.issue(request(), options));
    expect(isServiceError(error, 'INVALID_ARGUMENT') && error.context.field).toBe('priorityFee');
  });

  test('above the cap of the service is rejected when the operation is prepared', async () => {
    const options = { priorityFee: 20_000_000n, maxPriorityFeeLamports: 10_000_000n };
    const error = await errorOf(client.prepare.issue(request(), options));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('that is `auto` follows what recent transactions paid, up to the cap', async () => {
    // Nobody pays on these accounts, or everybody pays 100,000: both are below the cap.
    const options = { priorityFee: 'auto', maxPriorityFeeLamports: 1_000_000n } as const;
    const done = await market.live(() => client.issue(signer(), request(), options));
    const { message, fee } = await landed(done.signature);
    const { limit = 0, price = 0n } = message!.budget;
    expect(fee).toBe(5_000n + (BigInt(limit) * price + 999_999n) / 1_000_000n);
  });
});

test('without a request the message is memo and action alone', async () => {
  const done = await market.live(() => client.issue(signer(), request()));
  const { message, fee } = await landed(done.signature);
  expect(message).toMatchObject({ budget: {}, guards: [] });
  expect(message?.programs).toHaveLength(2);
  expect(fee).toBe(5_000n);
});

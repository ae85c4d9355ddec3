/** Signed answers of a wallet that this client does not send, in forms that are easy to miss. Each can be sent by others. */

import { MEMO_PROGRAM, readAccount, splitWireTransaction } from '@service/protocol';
import {
  isServiceError,
  type PlainWallet,
  type PreparedOperation,
  type ServiceClient,
  type ServiceClientOptions,
  standardWallet,
} from '@service/sdk';
import { transferSol } from '@service/server/test-service';
import { errorOf } from '@service/test-support';
import {
  type Base64EncodedWireTransaction,
  compileTransaction,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countingWallet, slowWallet } from '../support/counting-wallet.ts';
import { nodeWith } from '../support/node.ts';
import { payingWallet } from '../support/paying-wallet.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const signer = () => market.issuer.signer;
const request = () => ({ mint: market.mint, destination: market.source, amount: 10n });

async function signedIn(options: Partial<ServiceClientOptions> = {}): Promise<ServiceClient> {
  const client = market.newClient(options);
  await client.authenticate(signer(), market.deployment.genesisHash);
  return client;
}

let client: ServiceClient;
beforeEach(async () => {
  client = await signedIn();
});

// What a failing test had queued must not hold up the next one.
afterEach(async () => {
  await market.world.created.tick();
  await market.world.finalize();
  await market.world.created.tick();
});

async function amount(): Promise<bigint> {
  const { rpc, program } = market.world;
  const reader = { rpc, program, commitment: 'processed' } as const;
  return (await readAccount(reader, 'tokenAccount', market.source))!.data.amount;
}

const broadcast = (wire: Uint8Array) =>
  market.world.rpc
    .sendTransaction(getBase64Decoder().decode(wire) as Base64EncodedWireTransaction, { encoding: 'base64' })
    .send();

/** Checks that the client neither asks the wallet again for an operation, nor prepares another one. */
async function expectHeld(prepared: PreparedOperation, wallet: PlainWallet & { readonly asked: number }) {
  const { asked } = wallet;
  const again = await errorOf(client.signAndSubmit(wallet, prepared, ALLOWED));
  expect(wallet.asked).toBe(asked);
  expect(again).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED' });
  expect(await errorOf(client.prepare.issue(request()))).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
}

const ALLOWED = { maxPriorityFeeLamports: 10_000n };

test('a wallet that returns an acceptable change without a valid signature is not asked again', async () => {
  const paying = payingWallet(signer(), { limit: 200_000, price: 1_000n });
  const wallet = {
    ...paying.wallet,
    asked: 0,
    async signTransaction(wire: Uint8Array) {
      wallet.asked += 1;
      // The page keeps the signature.
      return (await paying.wallet.signTransaction(wire)).fill(7, 1, 65);
    },
  };
  const prepared = await client.prepare.issue(request());
  const error = await errorOf(client.signAndSubmit(wallet, prepared, ALLOWED));
  expect(isServiceError(error)).toBe(true);
  await expectHeld(prepared, wallet);
});

test('a landed transaction that another wallet pays for is found, although it has no memo', async () => {
  const before = await amount();
  const sponsor = await generateKeyPairSigner();
  await transferSol(market.world, signer(), { destination: sponsor.address, lamports: 10_000_000n });
  await market.world.finalize();
  const sponsored = sponsoredWallet(signer(), sponsor);
  const prepared = await client.prepare.issue(request());
  const { operationId } = prepared;
  expect(await errorOf(client.signAndSubmit(sponsored.wallet, prepared))).toMatchObject({
    code: 'WALLET_CHANGED_TRANSACTION',
  });
  await broadcast(sponsored.signed[0]!);
  await market.world.finalize();
  expect(await amount()).toBe(before + 10n);
  market.world.net.advanceSlots(400);
  const landed = await errorOf(client.prepare.issue(request()));
  expect(landed).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED', context: { operationId } });
});

/** Creates a wallet that lets another one pay, and removes the memo. */
function sponsoredWallet(owner: KeyPairSigner, sponsor: KeyPairSigner) {
  const signed: Uint8Array[] = [];
  const wallet: PlainWallet = {
    ...countingWallet(owner),
    async signTransaction(wire) {
      const compiled = getCompiledTransactionMessageDecoder().decode(splitWireTransaction(wire)!.message);
      const message = decompileTransactionMessage(compiled as never);
      const instructions = message.instructions.filter(
        ({ programAddress }) => programAddress !== MEMO_PROGRAM,
      );
      const feePayer = { address: sponsor.address };
      const changed = compileTransaction({ ...message, feePayer, instructions } as never);
      const full = await partiallySignTransaction([owner.keyPair, sponsor.keyPair], changed);
      const answer = new Uint8Array(getTransactionEncoder().encode(full));
      signed.push(answer);
      return answer;
    },
  };
  return { wallet, signed };
}

test('a landed transaction is found on an RPC that returns no memos', async () => {
  const edits = {
    getSignaturesForAddress: (found: unknown) => (found as object[]).map((each) => ({ ...each, memo: null })),
  };
  client = await signedIn({ rpc: nodeWith(market.world.net, edits) });
  const paying = payingWallet(signer(), { limit: 200_000, price: 1_000n });
  const [prepared, page] = [
    await client.prepare.issue(request()),
    payingWallet(signer(), { limit: 200_000, price: 2_000n }),
  ];
  let wire = new Uint8Array();
  const wallet: PlainWallet = {
    ...paying.wallet,
    async signTransaction(given) {
      wire = given.slice();
      return paying.wallet.signTransaction(given);
    },
  };
  await errorOf(client.signAndSubmit(wallet, prepared));
  // The page has another variant signed.
  await broadcast(await page.wallet.signTransaction(wire));
  await market.world.finalize();
  market.world.net.advanceSlots(400);
  expect(await errorOf(client.prepare.issue(request()))).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED' });
});

test.each<[string, (signed: Uint8Array) => unknown]>([
  ['as numbers', (signed) => [...signed]],
  ['in an object', (signed) => ({ serialize: () => signed })],
  ['in an ArrayBuffer', (signed) => signed.slice().buffer],
])('a wallet that returns the signed transaction %s is not asked again', async (_name, wrapped) => {
  const honest = countingWallet(signer());
  const sign = honest.signTransaction;
  const wallet = Object.assign(honest, {
    signTransaction: async (wire: Uint8Array) => wrapped(await sign(wire)) as Uint8Array,
  });
  const prepared = await client.prepare.issue(request());
  expect(await errorOf(client.signAndSubmit(wallet, prepared))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expectHeld(prepared, wallet);
});

test.each<[string, unknown]>([
  ['no transaction', [{ messageBytes: 'none', signatures: {} }]],
  ['nothing', undefined],
])('a signer of kit that returns %s after it was asked is not asked again', async (_name, answer) => {
  const modifyAndSignTransactions = vi.fn(async () => answer as never);
  const wallet = { address: signer().address, modifyAndSignTransactions };
  const prepared = await client.prepare.issue(request());
  const error = await errorOf(client.signAndSubmit(wallet, prepared));
  expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
  expect(await errorOf(client.signAndSubmit(wallet, prepared))).toMatchObject({
    code: 'OPERATION_ALREADY_SIGNED',
  });
  expect(modifyAndSignTransactions).toHaveBeenCalledTimes(1);
});

test('a wallet whose signature over the given transaction is invalid is not asked again if it may change it', async () => {
  const honest = countingWallet(signer());
  const sign = honest.signTransaction;
  const paying = payingWallet(signer(), { limit: 200_000, price: 1_000n });
  const kept: Uint8Array[] = [];
  const wallet = Object.assign(honest, {
    async signTransaction(wire: Uint8Array) {
      if (kept.length > 0) return paying.wallet.signTransaction(wire);
      kept.push(await sign(wire));
      return kept[0]!.slice().fill(7, 1, 65);
    },
  });
  const prepared = await client.prepare.issue(request());
  expect(await errorOf(client.signAndSubmit(wallet, prepared, ALLOWED))).toMatchObject({
    code: 'WALLET_SIGNATURE_INVALID',
  });
  const again = await errorOf(client.signAndSubmit(wallet, prepared, ALLOWED).then(() => null));
  expect(paying.signed).toEqual([]);
  expect(again).toMatchObject({ code: 'OPERATION_ALREADY_SIGNED' });
});

test('a variant that failed on chain does not release the transaction that the wallet returned', async () => {
  const before = await amount();
  const returned = payingWallet(signer(), { limit: 200_000, price: 1_000n });
  const failing = payingWallet(signer(), { limit: 1, price: 1_000n });
  let given = new Uint8Array();
  const wallet: PlainWallet = {
    ...returned.wallet,
    async signTransaction(wire) {
      given = wire.slice();
      return returned.wallet.signTransaction(wire);
    },
  };
  const prepared = await client.prepare.issue(request());
  await errorOf(client.signAndSubmit(wallet, prepared));
  // The page has another variant signed, which lands and fails.
  const wire = getBase64Decoder().decode(await failing.wallet.signTransaction(given));
  await market.world.rpc
    .sendTransaction(wire as Base64EncodedWireTransaction, { encoding: 'base64', skipPreflight: true })
    .send();
  await market.world.finalize();
  const failed = await market.live(() => errorOf(client.waitForOperation(prepared.operationId)));
  expect(failed).toMatchObject({ code: 'OPERATION_FAILED' });
  const next = await errorOf(client.prepare.issue(request()).then(() => null));
  await broadcast(returned.signed[0]!);
  expect(await amount()).toBe(before + 10n);
  expect(next).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
});

test('a prompt of an aborted call that is answered during the next prompt stops the next operation', async () => {
  const before = await amount();
  const honest = countingWallet(signer());
  const [first, second] = [slowWallet(honest), slowWallet(honest)];
  const controller = new AbortController();
  const prepared = await client.prepare.issue(request());
  const signing = errorOf(client.signAndSubmit(first.wallet, prepared, { signal: controller.signal }));
  await first.opened;
  controller.abort();
  await signing;
  const other = await client.prepare.issue(request());
  const next = errorOf(client.signAndSubmit(second.wallet, other));
  await second.opened;
  // The person confirms both prompts. The page keeps what the first one returns.
  first.answer();
  await first.answered;
  second.answer();
  expect(await next).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  expect(await amount()).toBe(before);
});

test('an answer to submit that is no refusal is not called one', async () => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init);
    const answer = await market.request(sent);
    return sent.url.endsWith('/api/transactions/submit') ? Response.json({}) : answer;
  };
  client = await signedIn({ fetch });
  const prepared = await client.prepare.issue(request());
  const error = await errorOf(client.signAndSubmit(signer(), prepared));
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  // The service has queued it.
  expect((error as Error).message).not.toContain('the service does not send it');
  await market.live(() => client.waitForOperation(prepared.operationId));
});

test('a wallet of the Wallet Standard that returns no transaction after it was asked is not asked again', async () => {
  const signTransaction = vi.fn(async () => []);
  const account = {
    address: signer().address,
    chains: ['solana:localnet'],
    features: ['solana:signTransaction'],
  };
  const feature = { supportedTransactionVersions: [0], signTransaction };
  const standard = { features: { 'solana:signTransaction': feature }, accounts: [account] };
  const wallet = standardWallet(standard as never, account as never);
  const prepared = await client.prepare.issue(request());
  const error = await errorOf(client.signAndSubmit(wallet, prepared));
  expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
  expect(await errorOf(client.signAndSubmit(wallet, prepared))).toMatchObject({
    code: 'OPERATION_ALREADY_SIGNED',
  });
  expect(signTransaction).toHaveBeenCalledTimes(1);
});

test('a landed transaction of another operation that the wallet returns does not count as this one', async () => {
  const honest = countingWallet(signer());
  const landed: Uint8Array[] = [];
  const first = await client.prepare.issue(request());
  const keeping: PlainWallet = {
    ...honest,
    async signTransaction(wire) {
      landed.push(await honest.signTransaction(wire));
      return landed[0]!.slice();
    },
  };
  await client.signAndSubmit(keeping, first);
  await market.live(() => client.waitForOperation(first.operationId));
  const prepared = await client.prepare.issue(request());
  // It returns the first one again.
  const error = await errorOf(client.signAndSubmit(keeping, prepared));
  expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
  expect(await errorOf(client.prepare.issue(request()))).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  market.world.net.advanceSlots(400);
  expect(await client.prepare.issue(request())).toMatchObject({ kind: 'ISSUE' });
});

test('a held transaction whose landing a wait has reported does not stop the next operation', async () => {
  const before = await amount();
  const paying = payingWallet(signer(), { limit: 200_000, price: 1_000n });
  const prepared = await client.prepare.issue(request());
  await errorOf(client.signAndSubmit(paying.wallet, prepared));
  await broadcast(paying.signed[0]!);
  await market.world.finalize();
  await market.live(() => client.waitForOperation(prepared.operationId));
  await market.live(() => client.issue(signer(), request()));
  expect(await amount()).toBe(before + 20n);
});

test('a held transaction that landed without its memo is not called absent by a wait', async () => {
  const { wallet, signed } = sponsoredWallet(signer(), signer());
  const prepared = await client.prepare.issue(request());
  await errorOf(client.signAndSubmit(wallet, prepared));
  await broadcast(signed[0]!);
  await market.world.finalize();
  const wait = () => errorOf(client.waitForOperation(prepared.operationId, { timeoutMs: 10_000 }));
  const error = await market.live(() => market.whileSlotsPass(20, wait));
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

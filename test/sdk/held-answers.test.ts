/** Signed answers of a wallet that this client does not send, in forms that are easy to miss. Each can be sent by others. */

import { MEMO_PROGRAM, readAccount, splitWireTransaction } from '@service/protocol';
import {
  isServiceError,
  type PlainWallet,
  type PreparedOperation,
  type ServiceClient,
  type ServiceClientOptions,
} from '@service/sdk';
import { errorOf } from '@service/test-support';
import { transferSol } from '@service/test-support/service';
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
import { beforeEach, expect, test } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
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

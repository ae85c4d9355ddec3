/** Unaltered clients that make and read tokens, on a cluster whose slots pass by themselves. */

import * as kit from '@solana/kit';
import * as spl from '@solana/spl-token';
import * as web3 from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SOL } from '../../test/support/index.ts';
import { connectWeb3 } from '../../test/support/web3.ts';
import { Localnet } from '../localnet.ts';

let net: Localnet;
let connection: web3.Connection;
let rpc: kit.Rpc<kit.SolanaRpcApi>;
let payer: web3.Keypair;

beforeEach(async () => {
  net = Localnet.start({ slotMs: 60, finalitySlots: 4 });
  const { url, websocketUrls } = await net.listen({ port: 0 });
  connection = connectWeb3(url, websocketUrls[0]);
  rpc = kit.createSolanaRpc(url);
  payer = web3.Keypair.generate();
  net.airdrop(kit.address(payer.publicKey.toBase58()), 10n * SOL);
});
afterEach(async () => {
  // web3.js can still be waiting for a status that it no longer needs. It does not handle a reset connection.
  await rpc.getSlot().send();
  await net.stop();
});

const asAddress = (key: web3.PublicKey) => kit.address(key.toBase58());
const PARSED = { encoding: 'jsonParsed', commitment: 'confirmed' } as const;

describe.each([
  ['SPL Token', spl.TOKEN_PROGRAM_ID],
  ['Token-2022', spl.TOKEN_2022_PROGRAM_ID],
])('%s', (_, program) => {
  it('is written by @solana/spl-token and read by every client', async () => {
    const delegate = web3.Keypair.generate().publicKey;
    const options = [undefined, undefined, program] as const;
    const mint = await spl.createMint(connection, payer, payer.publicKey, null, 6, ...options);
    const { address } = await spl.getOrCreateAssociatedTokenAccount(
      connection,
      payer,
      mint,
      payer.publicKey,
      false,
      ...options,
    );
    await spl.mintTo(connection, payer, mint, address, payer, 1_500_000n, [], undefined, program);
    await spl.approve(connection, payer, address, delegate, payer, 5n, [], undefined, program);

    expect(await spl.getAccount(connection, address, 'confirmed', program)).toMatchObject({
      amount: 1_500_000n,
    });
    const info = { mint: mint.toBase58(), owner: payer.publicKey.toBase58(), delegate: delegate.toBase58() };
    const { value: owned } = await connection.getParsedTokenAccountsByOwner(payer.publicKey, { mint });
    expect(owned).toMatchObject([{ pubkey: address, account: { data: { parsed: { info } } } }]);
    const { value: parsed } = await connection.getParsedAccountInfo(mint);
    expect(parsed?.data).toMatchObject({ parsed: { type: 'mint', info: { supply: '1500000' } } });
    const { value: largest } = await connection.getTokenLargestAccounts(mint);
    expect(largest).toMatchObject([{ address, uiAmount: 1.5 }]);

    const byKit = await kit.fetchJsonParsedAccount(rpc, asAddress(address), PARSED);
    expect(byKit).toMatchObject({ exists: true, data: { ...info, tokenAmount: { uiAmount: 1.5 } } });
    const filter = { programId: asAddress(program) };
    const delegated = await rpc.getTokenAccountsByDelegate(asAddress(delegate), filter, PARSED).send();
    expect(delegated.value).toMatchObject([{ pubkey: address.toBase58() }]);
  });
});

it('wraps SOL', async () => {
  const account = await spl.createWrappedNativeAccount(connection, payer, payer.publicKey, 1e9);
  const { value } = await connection.getParsedAccountInfo(account);
  expect(value?.data).toMatchObject({
    parsed: { info: { isNative: true, tokenAmount: { uiAmount: 1 }, rentExemptReserve: { decimals: 9 } } },
  });
});

it('reads blocks, priority fees and the leader by both clients', async () => {
  const transaction = new web3.Transaction().add(
    web3.ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 70 }),
    web3.SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
  );
  const signature = await web3.sendAndConfirmTransaction(connection, transaction, [payer]);
  const { slot } = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))!;
  const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
  expect(block?.transactions.map(({ transaction: { signatures } }) => signatures)).toEqual([[signature]]);
  const accounts = await connection.getBlock(slot, { transactionDetails: 'accounts' });
  expect(accounts?.transactions).toMatchObject([
    { transaction: { accountKeys: [{ pubkey: payer.publicKey, signer: true, writable: true }, {}, {}] } },
  ]);
  const config = { commitment: 'confirmed', transactionDetails: 'signatures' } as const;
  expect(await rpc.getBlock(BigInt(slot), config).send()).toMatchObject({ signatures: [signature] });

  const key = payer.publicKey;
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [key] });
  expect(fees).toEqual([{ slot, prioritizationFee: 70 }]);
  expect(await rpc.getRecentPrioritizationFees([asAddress(key)]).send()).toHaveLength(1);
  expect(await connection.getSlotLeader()).toBe(await rpc.getSlotLeader().send());
});

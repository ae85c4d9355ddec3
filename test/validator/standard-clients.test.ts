/** Unaltered clients send and confirm transactions on a validator, over its HTTP and its WebSocket. */
import * as kit from '@solana/kit';
import * as web3 from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect } from 'vitest';
import { walkCluster } from '../walk/cluster.ts';
import { deployment, onValidator, step, websocketUrlOf } from './support/stack.ts';

const SOL = 1_000_000_000n;
/** More than the rent of an empty account. */
const LAMPORTS = 2_000_000n;

onValidator('kit: sendAndConfirmTransactionFactory at confirmed and at finalized', async () => {
  const rpc = kit.createSolanaRpc(kit.devnet(deployment.rpcUrl));
  const rpcSubscriptions = kit.createSolanaRpcSubscriptions(kit.devnet(websocketUrlOf(deployment.rpcUrl)));
  const payer = await kit.generateKeyPairSigner();
  await step('kit: SOL from the faucet', () => walkCluster(deployment.rpcUrl).fund([payer.address], SOL));
  const sendAndConfirm = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  for (const commitment of ['confirmed', 'finalized'] as const) {
    const { address } = await kit.generateKeyPairSigner();
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const transfer = getTransferSolInstruction({ source: payer, destination: address, amount: LAMPORTS });
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (each) => kit.setTransactionMessageFeePayerSigner(payer, each),
      (each) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
      (each) => kit.appendTransactionMessageInstruction(transfer, each),
    );
    const signed = await kit.signTransactionMessageWithSigners(message);
    kit.assertIsTransactionWithBlockhashLifetime(signed);
    kit.assertIsTransactionWithinSizeLimit(signed);
    await step(`kit: sendAndConfirmTransactionFactory at ${commitment}`, () =>
      sendAndConfirm(signed, { commitment }),
    );
    const { value } = await rpc.getBalance(address, { commitment }).send();
    expect(value).toBe(LAMPORTS);
  }
});

onValidator('web3.js: sendAndConfirmTransaction and confirmTransaction, with an error on chain', async () => {
  const connection = new web3.Connection(deployment.rpcUrl, 'confirmed');
  const payer = web3.Keypair.generate();
  const transfer = (lamports: bigint) =>
    new web3.Transaction().add(
      web3.SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: web3.Keypair.generate().publicKey,
        lamports,
      }),
    );
  await step('web3.js: requestAirdrop and confirmTransaction', async () => {
    const lifetime = await connection.getLatestBlockhash();
    const signature = await connection.requestAirdrop(payer.publicKey, Number(SOL));
    await connection.confirmTransaction({ signature, ...lifetime }, 'finalized');
  });
  expect(await connection.getBalance(payer.publicKey, 'finalized')).toBe(Number(SOL));
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
    const signature = await step(`web3.js: sendAndConfirmTransaction at ${commitment}`, () =>
      web3.sendAndConfirmTransaction(connection, transfer(LAMPORTS), [payer], { commitment }),
    );
    expect((await connection.getSignatureStatus(signature)).value).toMatchObject({ err: null });
  }
  await step('web3.js: confirmTransaction of a transfer that fails on chain', async () => {
    const lifetime = await connection.getLatestBlockhash();
    const signature = await connection.sendTransaction(transfer(2n * SOL), [payer], { skipPreflight: true });
    // web3.js resolves with an error that a notification brings, and rejects with one that it reads.
    const error = await connection.confirmTransaction({ signature, ...lifetime }, 'confirmed').then(
      ({ value }) => value.err,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ InstructionError: [0, { Custom: 1 }] });
  });
});

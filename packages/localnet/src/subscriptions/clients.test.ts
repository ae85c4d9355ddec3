/** Unaltered clients on a cluster whose slots pass by themselves. */

import * as kit from '@solana/kit';
import * as web3 from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fundedWallet, SOL, transferInstruction } from '../../test/support/index.ts';
import { connectWeb3 } from '../../test/support/web3.ts';
import { Localnet } from '../localnet.ts';

let net: Localnet;
let url: string;
let websocketUrls: [string, string?];

beforeEach(async () => {
  // A blockhash is valid for 150 slots, which a busy machine needs.
  net = Localnet.start({ slotMs: 60, finalitySlots: 4 });
  ({ url, websocketUrls } = await net.listen({ port: 0 }));
});
afterEach(async () => {
  // web3.js can still be waiting for a status that it no longer needs. It does not handle a reset connection.
  await kit.createSolanaRpc(url).getSlot().send();
  await net.stop();
});

describe('kit', () => {
  const clients = () => ({
    rpc: kit.createSolanaRpc(url),
    rpcSubscriptions: kit.createSolanaRpcSubscriptions(websocketUrls[0]),
  });

  async function signedTransfer(lamports: bigint) {
    const payer = await fundedWallet(net);
    const { address } = await kit.generateKeyPairSigner();
    const { value: lifetime } = await clients().rpc.getLatestBlockhash().send();
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (each) => kit.setTransactionMessageFeePayerSigner(payer, each),
      (each) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
      (each) =>
        kit.appendTransactionMessageInstruction(transferInstruction(payer.address, address, lamports), each),
    );
    const { messageBytes, signatures, lifetimeConstraint } = await kit.partiallySignTransaction(
      [payer.keyPair],
      kit.compileTransaction(message),
    );
    const signed = { messageBytes, signatures, lifetimeConstraint };
    kit.assertIsFullySignedTransaction(signed);
    kit.assertIsTransactionWithBlockhashLifetime(signed);
    kit.assertIsTransactionWithinSizeLimit(signed);
    return { signed, address };
  }

  it.each(['processed', 'confirmed', 'finalized'] as const)(
    'sends and confirms at %s',
    async (commitment) => {
      const { signed } = await signedTransfer(SOL);
      const sendAndConfirm = kit.sendAndConfirmTransactionFactory(clients());
      await sendAndConfirm(signed, { commitment });
      const { value } = await net.rpc.getSignatureStatuses([kit.getSignatureFromTransaction(signed)]).send();
      expect(value[0]).toMatchObject({ err: null });
    },
  );

  it('iterates slots, signatures and accounts', async () => {
    const { signed, address } = await signedTransfer(SOL);
    const { rpc, rpcSubscriptions } = clients();
    const abort = new AbortController();
    const { signal: abortSignal } = abort;
    const signature = kit.getSignatureFromTransaction(signed);
    const [slots, signatures, accounts] = await Promise.all([
      rpcSubscriptions.slotNotifications().subscribe({ abortSignal }),
      rpcSubscriptions
        .signatureNotifications(signature, { commitment: 'confirmed' })
        .subscribe({ abortSignal }),
      rpcSubscriptions
        .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
        .subscribe({ abortSignal }),
    ]);
    const first = async <T>(values: AsyncIterable<T>) => {
      for await (const value of values) return value;
      throw new Error('The subscription ended.');
    };
    // kit drops what arrives before the iteration begins.
    const firsts = Promise.all([first(slots), first(signatures), first(accounts)]);
    const wire = kit.getBase64EncodedWireTransaction(signed);
    await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    const [slot, status, account] = await firsts;
    expect(slot.parent).toBe(slot.slot - 1n);
    expect(status.value).toEqual({ err: null });
    expect(account.value).toMatchObject({ lamports: SOL, rentEpoch: 2n ** 64n - 1n });
    abort.abort();
  });
});

describe('web3.js', () => {
  let connection: web3.Connection;
  let payer: web3.Keypair;

  beforeEach(() => {
    connection = connectWeb3(url, websocketUrls[0]);
    payer = web3.Keypair.generate();
    net.airdrop(kit.address(payer.publicKey.toBase58()), 10n * SOL);
  });

  const transfer = (lamports = 1e9) =>
    new web3.Transaction().add(
      web3.SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: web3.Keypair.generate().publicKey,
        lamports,
      }),
    );

  it.each(['processed', 'confirmed', 'finalized'] as const)(
    'sends and confirms at %s',
    async (commitment) => {
      const signature = await web3.sendAndConfirmTransaction(connection, transfer(), [payer], { commitment });
      const { value } = await connection.getSignatureStatus(signature);
      expect(value).toMatchObject({ err: null });
    },
  );

  it('confirms a transaction that it sent, and reports its error', async () => {
    const confirm = async (lamports: number) => {
      const lifetime = await connection.getLatestBlockhash();
      const transaction = transfer(lamports);
      const signature = await connection.sendTransaction(transaction, [payer], { skipPreflight: true });
      return connection.confirmTransaction({ signature, ...lifetime }, 'finalized');
    };
    expect((await confirm(1e9)).value).toEqual({ err: null });
    // web3.js resolves if the subscription reports the error first, and rejects if the status does.
    const outcome = await confirm(1e12).then(
      ({ value }) => value.err,
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ InstructionError: [0, { Custom: 1 }] });
  });

  it('finds the subscriptions on the port after the one of the RPC', async () => {
    const byDefault = connectWeb3(url);
    const signature = await web3.sendAndConfirmTransaction(byDefault, transfer(), [payer]);
    expect((await byDefault.getSignatureStatus(signature)).value).toMatchObject({ err: null });
  });

  it('calls listeners of accounts, programs, logs, slots and roots', async () => {
    const called = new Set<string>();
    const note = (name: string) => () => void called.add(name);
    const ids = {
      account: connection.onAccountChange(payer.publicKey, note('account')),
      program: connection.onProgramAccountChange(web3.SystemProgram.programId, note('program')),
      logs: connection.onLogs('all', note('logs')),
      slot: connection.onSlotChange(note('slot')),
      root: connection.onRootChange(note('root')),
    };
    // A subscription exists only when its first notification came, so the payer sends until then.
    while (called.size < 5) await web3.sendAndConfirmTransaction(connection, transfer(1e6), [payer]);
    await connection.removeAccountChangeListener(ids.account);
    await connection.removeProgramAccountChangeListener(ids.program);
    await connection.removeOnLogsListener(ids.logs);
    await connection.removeSlotChangeListener(ids.slot);
    await connection.removeRootChangeListener(ids.root);
  });
});

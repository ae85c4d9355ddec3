import { operationMessage, SYSTEM_PROGRAM, wireTransaction } from '@service/protocol';
import {
  generateKeyPair,
  generateKeyPairSigner,
  type KeyPairSigner,
  type MessageModifyingSigner,
  type TransactionModifyingSigner,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { walletFromKeyPair } from './key-pair.ts';
import { signerOf } from './signer.ts';
import { verifySignature } from './verify-signature.ts';

let key: KeyPairSigner;
let message: Uint8Array;

beforeAll(async () => {
  key = await generateKeyPairSigner();
  message = operationMessage({
    wallet: key.address,
    operationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    blockhash: SYSTEM_PROGRAM,
    instruction: { programAddress: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(1) },
  });
});

const text = new TextEncoder().encode('sign in');

/** A kit signer that may change what it signs, as wallets in browsers can. */
function modifying(key: KeyPairSigner, change: (bytes: Uint8Array) => Uint8Array) {
  return {
    address: key.address,
    async modifyAndSignMessages(messages) {
      return Promise.all(
        messages.map(async ({ content }) => {
          const changed = change(new Uint8Array(content));
          const [signatures] = await key.signMessages([{ content: changed, signatures: {} } as never]);
          return { content: changed, signatures } as never;
        }),
      );
    },
    async modifyAndSignTransactions(transactions) {
      return Promise.all(
        transactions.map(async (transaction) => {
          const messageBytes = change(new Uint8Array(transaction.messageBytes)) as never;
          const [signatures] = await key.signTransactions([{ ...transaction, messageBytes } as never]);
          return { ...transaction, messageBytes, signatures } as never;
        }),
      );
    },
  } satisfies MessageModifyingSigner & TransactionModifyingSigner;
}

describe('signerOf', () => {
  it.each<[string, () => Promise<Parameters<typeof signerOf>[0]>]>([
    ['a kit signer', async () => key],
    ['a modifying kit signer that changes nothing', async () => modifying(key, (bytes) => bytes)],
    ['a CryptoKeyPair', async () => walletFromKeyPair(await generateKeyPair())],
    [
      'three members',
      async () => {
        const { address, signMessage, signTransaction } = signerOf(key);
        return { address, signMessage, signTransaction };
      },
    ],
  ])('signs messages and transactions with %s', async (_name, make) => {
    const signer = signerOf(await make());
    expect(await verifySignature(signer.address, text, await signer.signMessage(text))).toBe(true);
    const own = operationMessage({
      wallet: signer.address,
      operationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
      blockhash: SYSTEM_PROGRAM,
      instruction: { programAddress: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(1) },
    });
    const wire = await signer.signTransaction(wireTransaction(own));
    expect(wire.slice(65)).toEqual(own);
    expect(await verifySignature(signer.address, own, wire.slice(1, 65))).toBe(true);
  });

  it('returns the transaction that a modifying wallet changed, and rejects a signature over another text', async () => {
    const signer = signerOf(modifying(key, (bytes) => Uint8Array.from([...bytes.slice(0, -1), 1])));
    const wire = await signer.signTransaction(wireTransaction(message));
    expect(wire.slice(65)).not.toEqual(message);
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' });
  });

  it('does not let a wallet change the caller’s bytes', async () => {
    const vandal = {
      address: key.address,
      signMessage: async (bytes: Uint8Array) => bytes.fill(0),
      signTransaction: async (bytes: Uint8Array) => bytes.fill(0),
    };
    const wire = wireTransaction(message);
    await signerOf(vandal).signTransaction(wire);
    expect(wire.slice(65)).toEqual(message);
  });

  it('throws for a wallet that cannot sign messages', async () => {
    const signer = signerOf({ address: key.address, signTransactions: key.signTransactions });
    expect(signer.canSignMessages).toBe(false);
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'WALLET_CANNOT_SIGN_MESSAGES' });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no address', { signMessage: async () => text, signTransaction: async () => text }],
    [
      'an invalid address',
      { address: 'me', signMessage: async () => text, signTransaction: async () => text },
    ],
    ['no transactions', { address: SYSTEM_PROGRAM, signMessages: async () => [] }],
    [
      'sending instead of signing',
      { address: SYSTEM_PROGRAM, signMessages: async () => [], signAndSendTransactions: async () => [] },
    ],
  ])('rejects %s', (_name, wallet) => {
    expect(() => signerOf(wallet as never)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

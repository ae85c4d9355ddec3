import { operationMessage, SYSTEM_PROGRAM, wireTransaction } from '@service/protocol';
import {
  type Address,
  generateKeyPair,
  generateKeyPairSigner,
  type KeyPairSigner,
  type MessageModifyingSigner,
  type TransactionModifyingSigner,
} from '@solana/kit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { serviceError } from '../../test/support/service-error.ts';
import { walletFromKeyPair } from './key-pair.ts';
import { signerOf } from './signer.ts';
import { standardWallet } from './standard-wallet.ts';
import { verifySignature } from './verify-signature.ts';

let key: KeyPairSigner;
let message: Uint8Array;

beforeAll(async () => {
  key = await generateKeyPairSigner();
  message = messageOf(key.address);
});

function messageOf(wallet: Address): Uint8Array {
  return operationMessage({
    wallet,
    operationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    blockhash: SYSTEM_PROGRAM,
    instruction: { programAddress: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(1) },
  });
}

const text = new TextEncoder().encode('sign in');

/** A kit signer that may change what it signs, as wallets in browsers can. */
function modifying(key: KeyPairSigner, change: (bytes: Uint8Array) => Uint8Array) {
  return {
    address: key.address,
    async modifyAndSignMessages([message]) {
      const content = change(new Uint8Array(message!.content));
      const [signatures] = await key.signMessages([{ content, signatures: {} } as never]);
      return [{ content, signatures } as never];
    },
    async modifyAndSignTransactions([transaction]) {
      const messageBytes = change(new Uint8Array(transaction!.messageBytes)) as never;
      const [signatures] = await key.signTransactions([{ ...transaction, messageBytes } as never]);
      return [{ ...transaction, messageBytes, signatures } as never];
    },
  } satisfies MessageModifyingSigner & TransactionModifyingSigner;
}

/** A wallet that counts how often it is asked, and throws the error of a wallet with a mistake. */
function counted(...members: string[]) {
  const wallet = { address: key.address, asked: 0 };
  const ask = () => {
    wallet.asked += 1;
    throw new TypeError('port.postMessage is not a function');
  };
  return Object.assign(wallet, Object.fromEntries(members.map((name) => [name, ask]))) as never as Parameters<
    typeof signerOf
  >[0] & { asked: number };
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
    const own = messageOf(signer.address);
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

  it('does not blame a key pair for a mistake in the code that reads it', async () => {
    const keyPair = await generateKeyPair();
    const cause = new ReferenceError('codec is not defined');
    const exporting = vi.spyOn(crypto.subtle, 'exportKey').mockRejectedValue(cause);
    const made = walletFromKeyPair(keyPair).finally(() => exporting.mockRestore());
    await expect(made).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', cause });
    const wrong = walletFromKeyPair({} as never);
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('does not let a wallet change the caller’s bytes', async () => {
    const erase = async (bytes: Uint8Array) => bytes.fill(0);
    const erasing = { address: key.address, signMessage: erase, signTransaction: erase };
    const wire = wireTransaction(message);
    await signerOf(erasing).signTransaction(wire);
    expect(wire.slice(65)).toEqual(message);
  });

  it('throws for a wallet that cannot sign messages', async () => {
    const signer = signerOf({ address: key.address, signTransactions: key.signTransactions });
    expect(signer.lacks).toBe('signMessages');
    const error = {
      code: 'WALLET_CANNOT_SIGN_MESSAGES',
      message: expect.stringMatching(/has no signMessages, .*kit/),
    };
    await expect(signer.signMessage(text)).rejects.toMatchObject(error);
    const plain = signerOf({ address: key.address, signTransaction: async () => text });
    const other = { message: expect.stringMatching(/has no signMessage, .*standardWallet/) };
    await expect(plain.signMessage(text)).rejects.toMatchObject(other);
    expect(signerOf(key).lacks).toBeNull();
  });

  it('reads the address of a wallet once, and names a getter that throws', () => {
    let reads = 0;
    const once = {
      ...key,
      get address() {
        reads += 1;
        return key.address;
      },
    };
    expect(signerOf(once).address).toBe(key.address);
    expect(reads).toBe(1);
    const throwing = {
      get address(): never {
        throw new Error('not connected, token=s3cret');
      },
    };
    expect(() => signerOf(throwing as never)).toThrow(serviceError('INVALID_ARGUMENT'));
    expect(() => signerOf(throwing as never)).toThrow(/^wallet\.address threw\. Connect the wallet first/);
  });

  const sign = async () => text;
  const plain = { signMessage: sign, signTransaction: sign };
  const messagesOnly = { address: SYSTEM_PROGRAM, signMessages: async () => [] };

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a wallet without an address', plain],
    ['a wallet with an invalid address', { ...plain, address: 'me' }],
    ['a wallet that cannot sign transactions', messagesOnly],
    ['a wallet that only sends transactions', { ...messagesOnly, signAndSendTransactions: async () => [] }],
  ])('rejects %s', (_name, wallet) => {
    expect(() => signerOf(wallet as never)).toThrow(serviceError('INVALID_ARGUMENT'));
  });

  const throwing = (property: string) =>
    Object.defineProperty({}, property, {
      get() {
        throw new TypeError(`${property} is not readable`);
      },
    });

  it.each<[string, unknown]>([
    ['an object whose message throws', throwing('message')],
    ['an error whose message is no text', Object.assign(new Error(), { message: 1n })],
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('no')],
  ])('throws WALLET_REJECTED when the wallet rejects with %s', async (_name, reason) => {
    const reject = () => Promise.reject(reason);
    const signer = signerOf({ address: key.address, signMessage: reject, signTransaction: reject });
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'WALLET_REJECTED' });
    await expect(signer.signTransaction(text)).rejects.toMatchObject({ code: 'WALLET_REJECTED' });
  });

  const detached = () => {
    const bytes = new Uint8Array(64);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  };
  const ODD: [string, () => unknown][] = [
    ['undefined', () => undefined],
    ['a text', () => '64'],
    ['a number', () => 64],
    ['a detached buffer', detached],
    ['an ArrayBuffer', () => new ArrayBuffer(64)],
    ['an object whose tag throws', () => throwing('length')],
  ];

  it.each(ODD)('throws INVALID_ARGUMENT when the wallet returns %s', async (_name, make) => {
    const odd = async () => make() as Uint8Array;
    const signer = signerOf({ address: key.address, signMessage: odd, signTransaction: odd });
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(signer.signTransaction(text)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each(ODD)('throws a ServiceError when a kit signer returns %s as a signature', async (_name, make) => {
    const signMessages = async () => [{ [key.address]: make() }] as never;
    const signer = signerOf({ address: key.address, signMessages, signTransactions: key.signTransactions });
    await expect(signer.signMessage(text)).rejects.toMatchObject({ name: 'ServiceError' });
  });

  it.each<[string, () => Parameters<typeof signerOf>[0] & { asked: number }]>([
    ['a kit signer', () => counted('signMessages', 'signTransactions')],
    ['a modifying kit signer', () => counted('modifyAndSignMessages', 'modifyAndSignTransactions')],
  ])('does not call a mistake before %s is asked a rejection', async (_name, make) => {
    const wallet = make();
    const signing = signerOf(wallet).signTransaction(Uint8Array.of(1, 2, 3));
    await expect(signing).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', cause: expect.any(Error) });
    expect(wallet.asked).toBe(0);
    // With bytes that are a transaction, the same wallet rejects.
    await expect(signerOf(wallet).signTransaction(wireTransaction(message))).rejects.toMatchObject({
      code: 'WALLET_REJECTED',
    });
    expect(wallet.asked).toBe(1);
  });

  it.each<[string, object]>([
    ['signMessages', { signMessages: async () => undefined, signTransactions: async () => [] }],
    ['modifyAndSignMessages', { modifyAndSignMessages: async () => null, signTransactions: async () => [] }],
  ])('does not call an answer of %s that is no list a rejection', async (_name, members) => {
    const signer = signerOf({ address: key.address, ...members } as never);
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([0, 1, 63, 65, 1_000])('rejects a signature of %d bytes', async (length) => {
    const odd = async () => new Uint8Array(length);
    const signer = signerOf({ address: key.address, signMessage: odd, signTransaction: odd });
    await expect(signer.signMessage(text)).rejects.toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' });
  });
});

describe('several transactions', () => {
  const wires = () => [1, 2, 3].map((byte) => wireTransaction(Uint8Array.of(...message, byte)));

  it('are one request to a wallet that takes several, and one after another to others', async () => {
    const asked: number[] = [];
    const signTransaction = async (wire: Uint8Array) => {
      asked.push(1);
      return wire;
    };
    const plain = { address: key.address, signTransaction };
    expect(await signerOf(plain).signTransactions(wires())).toEqual(wires());
    expect(asked).toEqual([1, 1, 1]);
    const several = {
      ...plain,
      async signAllTransactions(all: readonly Uint8Array[]) {
        asked.push(all.length);
        return all;
      },
    };
    expect(await signerOf(several).signTransactions(wires())).toEqual(wires());
    expect(await signerOf(several).signTransactions(wires().slice(0, 1))).toEqual(wires().slice(0, 1));
    expect(asked).toEqual([1, 1, 1, 3, 1]);
  });

  it.each([
    ['too few', (all: readonly Uint8Array[]) => all.slice(1)],
    ['none', () => undefined],
    ['something else', (all: readonly Uint8Array[]) => [all[0]!, 'x', all[2]!]],
  ])('are rejected if the wallet returns %s', async (_name, answer) => {
    const wallet = {
      address: key.address,
      signTransaction: async (wire: Uint8Array) => wire,
      signAllTransactions: async (all: readonly Uint8Array[]) => answer(all) as Uint8Array[],
    };
    const signing = signerOf(wallet).signTransactions(wires());
    await expect(signing).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', context: { field: 'wallet' } });
  });

  it('are one request to an account of the Wallet Standard', async () => {
    const asked: number[] = [];
    const feature = {
      supportedTransactionVersions: [0],
      async signTransaction(...inputs: { transaction: Uint8Array }[]) {
        asked.push(inputs.length);
        return inputs.map(({ transaction }) => ({ signedTransaction: transaction }));
      },
    };
    const features = { 'solana:signTransaction': feature };
    const wallet = standardWallet(
      { name: 'A wallet', features },
      { address: key.address, features: Object.keys(features) },
    );
    expect(await signerOf(wallet).signTransactions(wires())).toEqual(wires());
    expect(asked).toEqual([3]);
  });
});

import { type Address, generateKeyPairSigner, getAddressDecoder, type KeyPairSigner } from '@solana/kit';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifySignature } from './verify-signature.ts';

let key: KeyPairSigner;
const message = new TextEncoder().encode('sign in');
let signature: Uint8Array;

beforeAll(async () => {
  key = await generateKeyPairSigner();
  signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key.keyPair.privateKey, message));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes WebCrypto a platform without Ed25519. */
function withoutEd25519() {
  return vi
    .spyOn(crypto.subtle, 'importKey')
    .mockRejectedValue(new DOMException('Unrecognized name.', 'NotSupportedError'));
}

const flipped = (bytes: Uint8Array, at: number) =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

// The order of the group. S + L encodes the same scalar again and must not be a second signature.
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

function malleated(bytes: Uint8Array): Uint8Array {
  let scalar = bytes.slice(32).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n) + ORDER;
  const changed = bytes.slice();
  for (let at = 32; at < 64; at += 1, scalar >>= 8n) changed[at] = Number(scalar & 255n);
  return changed;
}

describe.each(['by WebCrypto', 'by tweetnacl'])('verifySignature %s', (by) => {
  const verify = async (wallet: Address, of: Uint8Array, given: Uint8Array) => {
    const refused = by === 'by tweetnacl' ? withoutEd25519() : null;
    const verdict = await verifySignature(wallet, of, given);
    if (refused) expect(refused).toHaveBeenCalled();
    return verdict;
  };

  it('accepts the signature of the wallet', async () => {
    expect(await verify(key.address, message, signature)).toBe(true);
  });

  it('rejects every other signature', async () => {
    const { address } = await generateKeyPairSigner();
    expect(await verify(address, message, signature)).toBe(false);
    expect(await verify(key.address, flipped(message, 0), signature)).toBe(false);
    expect(await verify(key.address, message, flipped(signature, 0))).toBe(false);
    expect(await verify(key.address, message, flipped(signature, 40))).toBe(false);
    expect(await verify(key.address, message, new Uint8Array(64))).toBe(false);
  });

  it('rejects another encoding of the same scalar', async () => {
    expect(await verify(key.address, message, malleated(signature))).toBe(false);
  });

  it.each([0, 63, 65, 128])('rejects %i bytes', async (length) => {
    const bytes = new Uint8Array(length);
    bytes.set(signature.slice(0, length));
    expect(await verify(key.address, message, bytes)).toBe(false);
  });

  it('rejects a key that is not a point of the curve', async () => {
    const nowhere = getAddressDecoder().decode(new Uint8Array(32).fill(2));
    expect(await verify(nowhere, message, signature)).toBe(false);
  });
});

it('throws if WebCrypto fails with a key that it imported', async () => {
  vi.spyOn(crypto.subtle, 'verify').mockRejectedValue(new Error('out of order'));
  await expect(verifySignature(key.address, message, signature)).rejects.toThrow('out of order');
});

/** Tests that only a signature that the chain accepts, and that needs the wallet's key, is valid. */
import { address, generateKeyPairSigner, getAddressDecoder, signBytes } from '@solana/kit';
import { expect, test } from 'vitest';
import { isSignedBy } from './wallet-signature.ts';

const signer = await generateKeyPairSigner();
const message = new TextEncoder().encode('the message');
const signature = new Uint8Array(await signBytes(signer.keyPair.privateKey, message));

/** The order of the group. The second half of a valid signature is below it. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

test('accepts only the wallet’s own signature over exactly these bytes', () => {
  expect(isSignedBy(signer.address, message, signature)).toBe(true);
  expect(isSignedBy(signer.address, message.slice(1), signature)).toBe(false);
  expect(isSignedBy(signer.address, message, signature.slice(1))).toBe(false);
  expect(isSignedBy(signer.address, message, new Uint8Array(64))).toBe(false);
  expect(isSignedBy(address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'), message, signature)).toBe(false);
});

test('rejects a non-canonical encoding of a signature, as the chain does', () => {
  const half = Buffer.from(signature.subarray(32)).reverse().toString('hex');
  const written = (BigInt(`0x${half}`) + ORDER).toString(16).padStart(64, '0');
  const other = new Uint8Array([...signature.subarray(0, 32), ...Buffer.from(written, 'hex').reverse()]);
  expect(isSignedBy(signer.address, message, other)).toBe(false);
});

test('rejects every signature for a point of small order, which is no wallet’s address', () => {
  // Y coordinates of the points whose order divides 8, with the second encodings above the field's prime.
  const ys = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ].map((y) => Buffer.from(y, 'hex'));
  const signs = [0, 0x80];
  const forged = new Uint8Array(64);
  forged[0] = 1;
  // Whether a forgery works depends on the message. For each point, some of these messages would work.
  const texts = Array.from({ length: 64 }, (_, count) => new TextEncoder().encode(`message ${count}`));
  for (const y of ys) {
    for (const sign of signs) {
      const key = Uint8Array.from(y, (byte, place) => (place === 31 ? byte | sign : byte));
      const wallet = getAddressDecoder().decode(key);
      for (const text of texts) expect(isSignedBy(wallet, text, forged), wallet).toBe(false);
    }
  }
});

// What a verifier signs, and the ed25519 precompile's instruction data with one signature inside itself.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { decodeBase58, encodeBase58, littleEndian } from './bytes.mjs';

/** The private key of 32 bytes of seed; Node takes it as PKCS #8 only. */
const privateKey = (seed) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });

/** The address of an ed25519 seed. */
export function addressOfSeed(seed) {
  const spki = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  return encodeBase58(spki.subarray(-32));
}

/** The ed25519 signature of a message. */
export const signWith = (seed, message) => sign(null, message, privateKey(seed));

/** domain | program | genesis hash | wallet | commitment | issued-at | expires-at */
export function credentialMessage({ program, genesisHash, wallet, commitment, issuedAt, expiresAt }) {
  return Buffer.concat([
    Buffer.from('service:v1:credential'),
    decodeBase58(program),
    decodeBase58(genesisHash),
    decodeBase58(wallet),
    Buffer.from(commitment, 'hex'),
    littleEndian(issuedAt, 8),
    littleEndian(expiresAt, 8),
  ]);
}

/** One record: count, padding, offsets of signature, key and message, each in this instruction (0xffff). */
export function ed25519Data({ publicKey, signature, message }) {
  const here = 0xffff;
  const [key, signatureAt, messageAt] = [16, 48, 112];
  const offsets = [signatureAt, here, key, here, messageAt, message.length, here];
  return Buffer.concat([
    Buffer.of(1, 0),
    ...offsets.map((offset) => littleEndian(offset, 2)),
    decodeBase58(publicKey),
    signature,
    message,
  ]);
}

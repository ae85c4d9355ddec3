import { createHash } from 'node:crypto';
import { type KeyPairSigner, signBytes } from '@solana/kit';

/** Nothing else that the verifier signs begins like this. */
const SIGNED = new TextEncoder().encode('rule-set-pass-service/development/person');

/**
 * Derives the key from which the sandbox verifier derives the person of a witness, 32 bytes. With a public one, everybody
 * could search for the attributes behind a tag on a remote cluster. It is the digest of a signature of the verifier's key,
 * because Ed25519 signs the same text in the same way each time, so nobody has to store it.
 */
export async function personKeyOf({ keyPair }: Pick<KeyPairSigner, 'keyPair'>): Promise<Uint8Array> {
  return createHash('sha256')
    .update(await signBytes(keyPair.privateKey, SIGNED))
    .digest();
}

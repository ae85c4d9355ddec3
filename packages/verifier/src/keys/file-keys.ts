/** Keys in files. They are in the memory of this process, so a key service is safer. */
import { createHmac } from 'node:crypto';
import { createKeyPairSignerFromBytes, signBytes } from '@solana/kit';
import type { AttestationKey, PersonKey } from './keys.ts';

const PERSON_KEY_BYTES = 32;

/** Creates the attestation key from a key pair of the Solana CLI: 64 bytes, the private key followed by the public key. */
export async function fileAttestationKey(keypair: Uint8Array): Promise<AttestationKey> {
  const { address, keyPair } = await createKeyPairSignerFromBytes(keypair);
  return { address, sign: (message) => signBytes(keyPair.privateKey, message) };
}

/** Creates the person key. @throws RangeError if it does not have 32 bytes */
export function filePersonKey(key: Uint8Array): PersonKey {
  // With a short key, anybody could search for the persons.
  if (key.length !== PERSON_KEY_BYTES) throw new RangeError('personKey must be 32 bytes. Use random ones.');
  return { mac: async (id) => createHmac('sha256', key).update(id).digest() };
}

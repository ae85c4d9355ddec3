import { type Address, getAddressEncoder } from '@solana/kit';
import nacl from 'tweetnacl';

/** Whether an ed25519 signature (64 bytes) is the one of an address over exactly these bytes. */
export function isSignedBy(address: Address, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== nacl.sign.signatureLength) return false;
  const key = new Uint8Array(getAddressEncoder().encode(address));
  return nacl.sign.detached.verify(new Uint8Array(message), new Uint8Array(signature), key);
}

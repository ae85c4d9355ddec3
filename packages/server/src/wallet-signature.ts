import { type Address, getAddressEncoder } from '@solana/kit';
import nacl from 'tweetnacl';

/** Whether an ed25519 signature (64 bytes) is the wallet's over exactly these bytes. */
export function verifyWalletSignature(signed: {
  wallet: Address;
  message: Uint8Array;
  signature: Uint8Array;
}): boolean {
  if (signed.signature.length !== nacl.sign.signatureLength) return false;
  const key = new Uint8Array(getAddressEncoder().encode(signed.wallet));
  return nacl.sign.detached.verify(new Uint8Array(signed.message), new Uint8Array(signed.signature), key);
}

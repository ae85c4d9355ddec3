/** Whether a signature is a wallet's. */
import {
  type Address,
  getAddressEncoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature as verifyByWebCrypto,
} from '@solana/kit';
import { loadPart } from '../client/load-part.ts';

/**
 * Whether an ed25519 signature is this wallet's over these bytes. WebCrypto says so; where it has no Ed25519, as in
 * Chromium before 137, or takes no such key, tweetnacl does, which is loaded for that alone.
 *
 * @throws ServiceError NETWORK_ERROR when tweetnacl cannot be loaded
 */
export async function verifySignature(
  wallet: Address,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  let key: CryptoKey;
  try {
    key = await getPublicKeyFromAddress(wallet);
  } catch {
    return isSignedByTweetnacl(wallet, message, signature);
  }
  return await verifyByWebCrypto(key, signature as SignatureBytes, message);
}

async function isSignedByTweetnacl(
  wallet: Address,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { default: nacl } = await loadPart(() => import('tweetnacl'));
  const key = new Uint8Array(getAddressEncoder().encode(wallet));
  // A signature of another length makes tweetnacl throw.
  return signature.length === 64 && nacl.sign.detached.verify(message, signature, key);
}

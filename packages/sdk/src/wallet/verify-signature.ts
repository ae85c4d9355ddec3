/** Verifies wallet signatures. */
import {
  type Address,
  getAddressEncoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature as verifyByWebCrypto,
} from '@solana/kit';
import { loadChunk } from '../lib/load-chunk.ts';

/**
 * Returns whether an ed25519 signature of this wallet over these bytes is valid. Uses WebCrypto. If WebCrypto has no
 * Ed25519, as in Chromium before 137, or rejects the key, loads tweetnacl.
 *
 * @throws ServiceError NETWORK_ERROR if tweetnacl cannot be loaded
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

/** The order of the group. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

/**
 * Returns whether the scalar, the second half of a signature, is below the order of the group. WebCrypto checks this,
 * tweetnacl does not. Clusters reject a larger scalar, so an operation with such a signature would never be executed.
 */
function isCanonical(signature: Uint8Array): boolean {
  const scalar = signature.slice(32).reduceRight((value, byte) => (value << 8n) + BigInt(byte), 0n);
  return scalar < ORDER;
}

async function isSignedByTweetnacl(
  wallet: Address,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  // tweetnacl throws for any other length.
  if (signature.length !== 64 || !isCanonical(signature)) return false;
  // nacl.js is 4 KB smaller than the default, nacl-fast.js. It is slower, but each prompt has only one signature.
  const { default: nacl } = await loadChunk(() => import('tweetnacl/nacl.js'));
  const key = new Uint8Array(getAddressEncoder().encode(wallet));
  return nacl.sign.detached.verify(message, signature, key);
}

/** Whether a signature is a wallet's. */
import {
  type Address,
  getAddressEncoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature as verifyByWebCrypto,
} from '@solana/kit';
import { loadChunk } from '../lib/load-chunk.ts';

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

/** The order of the group. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

/**
 * Whether the scalar, the second half of a signature, is below the order of the group, as WebCrypto wants it and
 * tweetnacl does not. With the order added it is another signature of the same message, which no cluster takes: kept as
 * the operation's, it would never be seen to land.
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
  // Of another length it makes tweetnacl throw.
  if (signature.length !== 64 || !isCanonical(signature)) return false;
  const { default: nacl } = await loadChunk(() => import('tweetnacl'));
  const key = new Uint8Array(getAddressEncoder().encode(wallet));
  return nacl.sign.detached.verify(message, signature, key);
}

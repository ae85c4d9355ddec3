import { createSignerFromKeyPair } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { unexpectedError } from '../lib/unexpected-error.ts';
import { requirePlatform } from '../platform/check-platform.ts';
import type { KitWallet } from './wallet.ts';

/**
 * Returns the wallet of an ed25519 `CryptoKeyPair` of WebCrypto.
 *
 * @throws ServiceError INVALID_ARGUMENT if the keys are not ed25519 or must not sign; UNSUPPORTED_PLATFORM
 * @example
 * const wallet = await walletFromKeyPair(await generateKeyPair());
 */
export async function walletFromKeyPair(keyPair: CryptoKeyPair): Promise<KitWallet> {
  requirePlatform();
  try {
    return await createSignerFromKeyPair(keyPair);
  } catch (cause) {
    if (cause instanceof ReferenceError) throw unexpectedError('Reading the key pair', cause);
    const message =
      'keyPair must be an ed25519 CryptoKeyPair that may sign. generateKeyPair() of @solana/kit makes one.';
    throw new ServiceError('INVALID_ARGUMENT', { message, context: { field: 'keyPair' }, cause });
  }
}

import { createSignerFromKeyPair } from '@solana/kit';
import type { KitWallet } from './wallet.ts';

/**
 * Returns the wallet of an ed25519 `CryptoKeyPair` of WebCrypto. Not in SPEC.md: a wallet of the caller.
 *
 * @throws SolanaError if the keys are not ed25519 or must not sign.
 * @example
 * const wallet = await walletFromKeyPair(await generateKeyPair());
 */
export async function walletFromKeyPair(keyPair: CryptoKeyPair): Promise<KitWallet> {
  return createSignerFromKeyPair(keyPair);
}

import { createSignerFromKeyPair } from '@solana/kit';
import type { KitWallet } from './wallet.ts';

/**
 * The wallet of an ed25519 `CryptoKeyPair`, as WebCrypto makes it. Not in SPEC.md: a wallet of the caller.
 *
 * @throws SolanaError when the keys are not ed25519 or may not sign.
 * @example
 * const wallet = await walletFromKeyPair(await generateKeyPair());
 */
export async function walletFromKeyPair(keyPair: CryptoKeyPair): Promise<KitWallet> {
  return createSignerFromKeyPair(keyPair);
}

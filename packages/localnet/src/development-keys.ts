/** Keys of the development stack. They come from public texts, so anyone can make them: never use them for value. */
import { createHash } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';

/** The keys of the development stack, by role. */
export interface DevelopmentKeys {
  readonly program: KeyPairSigner;
  readonly upgradeAuthority: KeyPairSigner;
  readonly governance: KeyPairSigner;
  readonly payer: KeyPairSigner;
  readonly verifier: KeyPairSigner;
  readonly feePayer: KeyPairSigner;
}

/** Makes the keys. Each ed25519 seed is the SHA-256 of `rule-set-pass-service/development/<role>`. */
export async function developmentKeys(): Promise<DevelopmentKeys> {
  const [program, upgradeAuthority, governance, payer, verifier, feePayer] = await Promise.all([
    keyOf('program'),
    keyOf('upgrade-authority'),
    keyOf('governance'),
    keyOf('payer'),
    // Extractable, because a verifier in another process can have it.
    keyOf('verifier', true),
    keyOf('fee-payer'),
  ]);
  return { program, upgradeAuthority, governance, payer, verifier, feePayer };
}

function keyOf(role: string, extractable = false): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(developmentSeed(role), extractable);
}

/** Returns the ed25519 seed of a role, 32 bytes. */
export function developmentSeed(role: string): Uint8Array {
  return createHash('sha256').update(`rule-set-pass-service/development/${role}`).digest();
}

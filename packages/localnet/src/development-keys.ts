/** Keys of the development stack, made from public texts: anyone can make them, so they guard nothing. */
import { createHash } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';

/** Roles that the development stack has keys for. */
export type DevelopmentRole =
  | 'program'
  | 'upgrade-authority'
  | 'governance'
  | 'payer'
  | 'verifier'
  | 'fee-payer';

/** The key of a role: the ed25519 seed is SHA-256 of `rule-set-pass-service/development/<role>`. Never use it for value. */
export async function developmentKey(role: DevelopmentRole): Promise<KeyPairSigner> {
  const seed = createHash('sha256').update(`rule-set-pass-service/development/${role}`).digest();
  return createKeyPairSignerFromPrivateKeyBytes(seed);
}

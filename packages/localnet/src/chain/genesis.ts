import { createHash } from 'node:crypto';
import { assertIsBlockhash, type Blockhash, getBase58Decoder } from '@solana/kit';

/** The seed of the genesis hash unless told. */
export const DEFAULT_SEED = 'localnet';

/**
 * A cluster's genesis hash: the given one, or that of a seed, so that the same seed always names the
 * same cluster. Throws when the given one is not base58 of 32 bytes.
 */
export function genesisHashOf(seed: string, given?: string): Blockhash {
  const hash = given ?? getBase58Decoder().decode(createHash('sha256').update(`genesis:${seed}`).digest());
  assertIsBlockhash(hash);
  return hash;
}

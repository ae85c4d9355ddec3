import { createHash } from 'node:crypto';
import { assertIsBlockhash, type Blockhash, getBase58Decoder } from '@solana/kit';

/** The seed of the genesis hash unless told. */
export const DEFAULT_SEED = 'localnet';

/** The genesis hash of a seed: the same seed always names the same cluster. */
export function genesisHashOf(seed: string): Blockhash {
  const hash = getBase58Decoder().decode(createHash('sha256').update(`genesis:${seed}`).digest());
  assertIsBlockhash(hash);
  return hash;
}

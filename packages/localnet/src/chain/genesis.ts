import { createHash } from 'node:crypto';
import {
  type Address,
  assertIsBlockhash,
  type Blockhash,
  getAddressDecoder,
  getBase58Decoder,
} from '@solana/kit';

/** The default seed of the genesis hash. */
export const DEFAULT_SEED = 'localnet';

/**
 * Returns the genesis hash of a cluster: the given one, or the one from the seed. The same seed always gives the same
 * cluster. Throws if the given one is not base58 of 32 bytes.
 */
export function genesisHashOf(seed: string, given?: string): Blockhash {
  const hash = given ?? getBase58Decoder().decode(createHash('sha256').update(`genesis:${seed}`).digest());
  assertIsBlockhash(hash);
  return hash;
}

/** Returns the identity of the only validator, which leads every slot. */
export function leaderOf(seed: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(`leader:${seed}`).digest());
}

import { addressBytes } from '@service/contract/address';
import { fieldToBytes, scopeOf, tagOf } from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';

/** Returns the tag of a person for a place of a rule set: 32 bytes, big-endian. Loads Poseidon. */
export async function tagOfPlace(rule: Address, place: number, person: bigint): Promise<Uint8Array> {
  const scope = await scopeOf({ rule: addressBytes(rule), place });
  return fieldToBytes(tagOf({ person, scope }));
}

import { addressBytes } from '@service/contract/address';
import {
  checkAttributes,
  fieldToBytes,
  scopeOf,
  tagOf,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';
import { fromEligibilityError } from './prover-errors.ts';

/**
 * Returns the tag of the person of a witness for a place of a rule set: 32 bytes, big-endian. Loads Poseidon. Throws
 * ServiceError WITNESS_INVALID if a part of the witness is out of range.
 */
export async function tagOfPlace(
  rule: Address,
  place: number,
  attributes: WitnessAttributes,
): Promise<Uint8Array> {
  try {
    checkAttributes(attributes);
    const scope = await scopeOf({ rule: addressBytes(rule), place });
    return fieldToBytes(tagOf({ person: attributes.person, scope }));
  } catch (error) {
    throw fromEligibilityError(error);
  }
}

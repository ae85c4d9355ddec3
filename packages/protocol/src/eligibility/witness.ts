import { dateOfCode } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { FIELD_ORDER } from './field.ts';

/** Number of regions. A mask has one bit for each, and every mask is below the order of the field. */
export const REGION_PLACES = 253;

/** Number of statuses. A mask has one bit for each. */
export const STATUS_PLACES = 32;

/**
 * The witness: what the verifier learnt about a person, and the salt that hides it. Only the person receives it, and it
 * never leaves the machine that proves.
 */
export interface WitnessAttributes {
  /** Index of the region, 0 to 252. */
  readonly region: number;
  /** Index of the status, 0 to 31. */
  readonly status: number;
  /** Date code of the birth date. */
  readonly birthDate: number;
  /** Random field element, new for each credential. */
  readonly salt: bigint;
  /** Secret field element, the same in all credentials that one person has from a verifier. */
  readonly person: bigint;
}

/** What clauses ask about: the witness without its secrets. */
export type PersonalAttributes = Omit<WitnessAttributes, 'salt' | 'person'>;

/**
 * Throws when an attribute is out of range.
 *
 * @throws EligibilityError WITNESS_INVALID, naming the attribute and never its value.
 */
export function checkAttributes({ region, status, birthDate, salt, person }: WitnessAttributes): void {
  if (!Number.isInteger(region) || region < 0 || region >= REGION_PLACES) {
    throw invalid(`region must be an integer from 0 to ${REGION_PLACES - 1}`);
  }
  if (!Number.isInteger(status) || status < 0 || status >= STATUS_PLACES) {
    throw invalid(`status must be an integer from 0 to ${STATUS_PLACES - 1}`);
  }
  if (!isDateCode(birthDate)) throw invalid('birthDate must be the date code of a calendar date');
  for (const [name, secret] of Object.entries({ salt, person })) {
    if (typeof secret !== 'bigint' || secret < 0n || secret >= FIELD_ORDER) {
      throw invalid(`${name} must be a bigint from 0 to below the order of bn128's scalar field`);
    }
  }
}

function isDateCode(code: number): boolean {
  try {
    dateOfCode(code);
    return true;
  } catch {
    return false;
  }
}

function invalid(reason: string): EligibilityError {
  return new EligibilityError(
    'WITNESS_INVALID',
    `The witness is not valid: ${reason}. Take it from the verifier again.`,
  );
}

// This has its own file, because a bundle of `privateInput` must not contain the constants of Poseidon11.
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { CLAUSE_SLOTS } from './clause.ts';
import { dateOfCode } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { checkFieldElement } from './field.ts';

/** The values that a proof is bound to. */
export interface ContextFacts {
  /** The hashes in the 8 slots of the rule set: `clauseHashes`. */
  readonly clauseHashes: readonly bigint[];
  /** The credential's commitment. */
  readonly commitment: bigint;
  /** Date code of the day on which age is counted. */
  readonly asOf: number;
  /** The hash of the pass: `passHash`. */
  readonly passHash: bigint;
}

/**
 * Returns the only public signal of the circuit: `Poseidon11(clauseHashes, commitment, asOf, passHash)`.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE, CONTEXT_INVALID or DATE_INVALID
 */
export function contextHash({ clauseHashes, commitment, asOf, passHash }: ContextFacts): bigint {
  if (clauseHashes.length !== CLAUSE_SLOTS) {
    throw new EligibilityError(
      'CONTEXT_INVALID',
      `A rule set has ${CLAUSE_SLOTS} clause hashes, those of unused slots included; these are ${clauseHashes.length}.`,
    );
  }
  for (const hash of clauseHashes) checkFieldElement(hash, 'A clause hash');
  checkFieldElement(commitment, 'The commitment');
  checkFieldElement(passHash, 'The pass hash');
  dateOfCode(asOf);
  return poseidon11([...clauseHashes, commitment, BigInt(asOf), passHash]);
}

// This has its own file, because a bundle of `privateInput` must not contain the constants of Poseidon11.
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { CLAUSE_SLOTS, LIMITED_CLAUSE_SLOTS } from './clause.ts';
import { dateOfCode } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { checkFieldElement } from './field.ts';
import { EMPTY_CLAUSE_HASH } from './hashes.ts';

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
  /** The place that the proof is for, if the rule set limits the wallets of a person. */
  readonly place?: PlaceHashes | undefined;
}

/** A place of a person as the context contains it. */
export interface PlaceHashes {
  /** What `scopeOf` returns. */
  readonly scope: bigint;
  /** What `tagOf` returns. */
  readonly tag: bigint;
}

/** The context of a rule set that limits the wallets of a person has a day that is this much later. */
const LIMITED_DAY = 1n << 20n;

/**
 * Returns the only public signal of the circuit: `Poseidon11(clauseHashes, commitment, asOf, passHash)`. With a place, its
 * scope and tag are in the last two slots, and the day is `asOf + 2^20`.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE, CONTEXT_INVALID or DATE_INVALID
 */
export function contextHash({ clauseHashes, commitment, asOf, passHash, place }: ContextFacts): bigint {
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
  const day = BigInt(asOf);
  if (!place) return poseidon11([...clauseHashes, commitment, day, passHash]);
  const slots = placeSlots(clauseHashes, place);
  return poseidon11([...slots, commitment, day + LIMITED_DAY, passHash]);
}

/** Returns the slots of a rule set with a place in the last two, which no clause can have. */
function placeSlots(clauseHashes: readonly bigint[], { scope, tag }: PlaceHashes): bigint[] {
  checkFieldElement(scope, 'The scope');
  checkFieldElement(tag, 'The tag');
  if (clauseHashes.slice(LIMITED_CLAUSE_SLOTS).some((hash) => hash !== EMPTY_CLAUSE_HASH)) {
    throw new EligibilityError(
      'CONTEXT_INVALID',
      `A rule set that limits the wallets of a person has at most ${LIMITED_CLAUSE_SLOTS} clauses.`,
    );
  }
  return [...clauseHashes.slice(0, LIMITED_CLAUSE_SLOTS), scope, tag];
}

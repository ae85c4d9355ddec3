import { DATE_CODE_YEAR } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { type PersonalAttributes, REGION_PLACES, STATUS_PLACES } from './witness.ts';

/** One clause of a rule set, as the chain stores it. A person meets it by meeting all three requirements. */
export interface ClauseMasks {
  /** Bit i allows the region with index i. 1 to 2^253 - 1. */
  readonly regionMask: bigint;
  /** Bit i allows the status with index i. 1 to 2^32 - 1. */
  readonly statusMask: number;
  /** Minimum age in whole years, 0 to 255. */
  readonly minAge: number;
}

/** Clauses of a rule set: from 1 to 8. */
export const CLAUSE_SLOTS = 8;

/** Clauses of a rule set that limits the wallets of a person: from 1 to 6. The other two slots hold scope and tag. */
export const LIMITED_CLAUSE_SLOTS = CLAUSE_SLOTS - 2;

/** One requirement of a clause. */
export type ClauseRequirement = 'region' | 'status' | 'age';

/** Whether a clause holds, and which requirements are not met. */
export interface ClauseEvaluation {
  readonly holds: boolean;
  /** The requirements that are not met, in the order region, status, age; empty when the clause holds. */
  readonly unmet: readonly ClauseRequirement[];
}

/**
 * Throws when a clause is out of range, or allows no region or no status.
 *
 * @throws EligibilityError CLAUSE_INVALID
 */
export function checkClause({ regionMask, statusMask, minAge }: ClauseMasks): void {
  if (typeof regionMask !== 'bigint' || regionMask < 1n || regionMask >= 1n << BigInt(REGION_PLACES)) {
    throw invalid(`regionMask must be a bigint from 1 to below 2^${REGION_PLACES}: name at least one region`);
  }
  if (!isIntegerWithin(statusMask, 1, 2 ** STATUS_PLACES - 1)) {
    throw invalid(
      `statusMask must be an integer from 1 to below 2^${STATUS_PLACES}: name at least one status`,
    );
  }
  if (!isIntegerWithin(minAge, 0, 255)) throw invalid('minAge must be an integer from 0 to 255');
}

/**
 * Throws unless the list has 1 to 8 valid clauses.
 *
 * @param slots the number of slots for clauses: {@link LIMITED_CLAUSE_SLOTS} if the rule set limits the wallets of a person
 * @throws EligibilityError CLAUSE_INVALID
 */
export function checkClauses(clauses: readonly ClauseMasks[], slots = CLAUSE_SLOTS): void {
  if (clauses.length < 1 || clauses.length > slots) {
    throw new EligibilityError(
      'CLAUSE_INVALID',
      `This rule set can have 1 to ${slots} clauses; it has ${clauses.length}.`,
    );
  }
  for (const clause of clauses) checkClause(clause);
}

/**
 * Returns whether a clause holds for attributes on a day. Uses the same arithmetic as the circuit.
 *
 * @param asOf date code of the day on which age is counted
 */
export function evaluateClause(
  { region, status, birthDate }: PersonalAttributes,
  clause: ClauseMasks,
  asOf: number,
): ClauseEvaluation {
  const unmet: ClauseRequirement[] = [];
  if (((clause.regionMask >> BigInt(region)) & 1n) !== 1n) unmet.push('region');
  if (((clause.statusMask >>> status) & 1) !== 1) unmet.push('status');
  if (asOf - birthDate - DATE_CODE_YEAR * clause.minAge < 0) unmet.push('age');
  return { holds: unmet.length === 0, unmet };
}

/**
 * Returns the index of the first clause that holds, or undefined when no clause holds.
 *
 * @param asOf date code of the day on which age is counted
 */
export function matchingClause(
  attributes: PersonalAttributes,
  clauses: readonly ClauseMasks[],
  asOf: number,
): number | undefined {
  const index = clauses.findIndex((clause) => evaluateClause(attributes, clause, asOf).holds);
  return index === -1 ? undefined : index;
}

function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function invalid(reason: string): EligibilityError {
  return new EligibilityError('CLAUSE_INVALID', `The clause is not valid: ${reason}.`);
}

/** Checks whether a witness belongs to a credential and meets a rule set. Loads Poseidon. */
import {
  type ClauseMasks,
  commitmentOf,
  evaluateClause,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import type { UnmetClause } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { fromEligibilityError } from './prover-errors.ts';

/** The facts that a witness is checked against. */
export interface WitnessFacts {
  /** The credential's commitment. */
  readonly commitment: bigint;
  /** The clauses of the rule set, in its order. */
  readonly clauses: readonly ClauseMasks[];
  /** Date code of the day for which ages are computed. */
  readonly asOf: number;
}

/** Returns whether a commitment is the one of a witness. Throws ServiceError WITNESS_INVALID. */
export function isCommitmentOf(attributes: WitnessAttributes, commitment: bigint): boolean {
  try {
    return commitmentOf(attributes) === commitment;
  } catch (error) {
    throw fromEligibilityError(error);
  }
}

/**
 * Returns what the witness does not meet in each clause; null if it meets one of them; `unrelated` if the commitment is
 * not that of the witness.
 *
 * @throws ServiceError WITNESS_INVALID
 */
export function unmetClauses(
  attributes: WitnessAttributes,
  { commitment, clauses, asOf }: WitnessFacts,
): readonly UnmetClause[] | 'unrelated' | null {
  if (!isCommitmentOf(attributes, commitment)) return 'unrelated';
  try {
    const unmet = clauses.map((clause, index) => ({
      clause: index,
      unmet: evaluateClause(attributes, clause, asOf).unmet,
    }));
    return unmet.some((clause) => clause.unmet.length === 0) ? null : unmet;
  } catch (error) {
    throw fromEligibilityError(error);
  }
}

/** Returns the error for a witness whose commitment is not that of the credential. */
export function unrelatedWitness(): ServiceError {
  return new ServiceError('WITNESS_INVALID', {
    message:
      'The witness does not belong to this credential, because its commitment differs. Use the witness of the last verification.',
  });
}

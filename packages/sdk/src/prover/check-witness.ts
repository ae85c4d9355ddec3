/** Checks whether a witness belongs to a credential and meets a rule set. Loads Poseidon. */
import type { Witness } from '@service/contract';
import { type ClauseMasks, commitmentOf, evaluateClause } from '@service/protocol/eligibility';
import { attributesOf } from '../eligibility/witness.ts';
import type { UnmetClause } from '../error-contexts.ts';
import { fromEligibilityError } from './prover-errors.ts';

/** What a witness is checked against: the credential's commitment as an integer, the clauses, the date code for ages. */
export interface WitnessFacts {
  readonly commitment: bigint;
  readonly clauses: readonly ClauseMasks[];
  readonly asOf: number;
}

/**
 * Returns what the witness does not meet in each clause; null if it meets one of them; `unrelated` if the commitment is
 * not that of the witness.
 *
 * @throws ServiceError WITNESS_INVALID
 */
export function unmetClauses(
  witness: Witness,
  { commitment, clauses, asOf }: WitnessFacts,
): readonly UnmetClause[] | 'unrelated' | null {
  const attributes = attributesOf(witness);
  try {
    if (commitmentOf(attributes) !== commitment) return 'unrelated';
    const unmet = clauses.map((clause, index) => ({
      clause: index,
      unmet: evaluateClause(attributes, clause, asOf).unmet,
    }));
    return unmet.some((clause) => clause.unmet.length === 0) ? null : unmet;
  } catch (error) {
    throw fromEligibilityError(error);
  }
}

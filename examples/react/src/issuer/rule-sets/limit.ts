import type { RuleSet } from '@service/sdk';

/** Whose credentials prove the rule set, and with how many wallets of each person. */
export interface Limit {
  /** The only verifier that counts; null for any. */
  readonly verifier: NonNullable<RuleSet['verifier']> | null;
  /** 0 for any number. */
  readonly walletsPerPerson: number;
}

export const NO_LIMIT: Limit = { verifier: null, walletsPerPerson: 0 };

const MOST_CLAUSES = 8;
/** A limit of wallets takes the slots of two clauses. */
const MOST_CLAUSES_WITH_LIMIT = 6;

/** Returns how many clauses a rule set can have. */
export const mostClausesWith = ({ walletsPerPerson }: Limit) =>
  walletsPerPerson > 0 ? MOST_CLAUSES_WITH_LIMIT : MOST_CLAUSES;

/** Returns what is wrong with so many clauses; null if nothing is. */
export const problemOfClauses = (count: number, limit: Limit) =>
  count > mostClausesWith(limit)
    ? 'A rule set with a limit of wallets has at most six clauses. Remove some, or the limit.'
    : null;

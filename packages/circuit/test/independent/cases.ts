/** What the independent crate and the calculators decide. The short list is the beginning of the whole one. */
import { type FactCase, factCases } from './fact-cases.ts';
import { type StatementCase, statementCases } from './statement-cases.ts';

export interface Cases {
  readonly statements: readonly StatementCase[];
  readonly facts: readonly FactCase[];
}

/** Returns every case at a limit, and as many random ones as npm test has time for. */
export function shortCases(): Cases {
  return { statements: statementCases(60), facts: factCases(20) };
}

/** Returns every case at a limit, and some thousands of random ones. */
export function wholeCases(): Cases {
  return { statements: statementCases(3000), facts: factCases(1000) };
}

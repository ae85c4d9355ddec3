import { type ClauseMasks, checkClauses, matchingClause } from './clause.ts';
import { EligibilityError } from './errors.ts';
import { clauseHashes, commitmentOf, contextHash, ruleHash, walletHalves } from './hashes.ts';
import type { WitnessAttributes } from './witness.ts';

/** The named signals of eligibility.circom, as decimal strings. All but `contextHash` are private. */
export interface CircuitInput {
  readonly contextHash: string;
  readonly region: string;
  readonly status: string;
  readonly birthDate: string;
  readonly salt: string;
  readonly clauseHashes: readonly string[];
  readonly regionMask: string;
  readonly statusMask: string;
  readonly minAge: string;
  readonly walletHi: string;
  readonly walletLo: string;
  readonly expiresAt: string;
  readonly asOf: string;
}

/** What is proved, and by whom. */
export interface CircuitInputFacts {
  readonly attributes: WitnessAttributes;
  /** The rule set's clauses, in its own order. */
  readonly clauses: readonly ClauseMasks[];
  /** The wallet's address, 32 bytes. */
  readonly wallet: Uint8Array;
  /** Unix seconds at which the pass would expire. */
  readonly expiresAt: bigint;
  /** Date code of the day on which age is counted: `asOfDateCode`. */
  readonly asOf: number;
}

/**
 * The input of the witness calculator. It opens the first clause that holds; the proof does not show which that is.
 *
 * @throws EligibilityError NOT_ELIGIBLE when no clause holds; WITNESS_INVALID, CLAUSE_INVALID, CONTEXT_INVALID or
 *   DATE_INVALID when a part is out of range.
 */
export function circuitInput({
  attributes,
  clauses,
  wallet,
  expiresAt,
  asOf,
}: CircuitInputFacts): CircuitInput {
  checkClauses(clauses);
  const commitment = commitmentOf(attributes);
  const context = contextHash({ commitment, ruleHash: ruleHash(clauses), wallet, expiresAt, asOf });
  const matching = matchingClause(attributes, clauses, asOf);
  const opened = matching === undefined ? undefined : clauses[matching];
  if (!opened) {
    throw new EligibilityError(
      'NOT_ELIGIBLE',
      'No clause of the rule set holds for this credential: it cannot be proved. ' +
        'evaluateClause says which requirement of each clause is not met.',
    );
  }
  const { high, low } = walletHalves(wallet);
  return {
    contextHash: context.toString(),
    region: attributes.region.toString(),
    status: attributes.status.toString(),
    birthDate: attributes.birthDate.toString(),
    salt: attributes.salt.toString(),
    clauseHashes: clauseHashes(clauses).map(String),
    regionMask: opened.regionMask.toString(),
    statusMask: opened.statusMask.toString(),
    minAge: opened.minAge.toString(),
    walletHi: high.toString(),
    walletLo: low.toString(),
    expiresAt: expiresAt.toString(),
    asOf: asOf.toString(),
  };
}

import {
  CLAUSE_SLOTS,
  type ClauseMasks,
  checkClauses,
  LIMITED_CLAUSE_SLOTS,
  matchingClause,
} from './clause.ts';
import { contextHash } from './context-hash.ts';
import { dateOfCode } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { clauseHashes, commitmentOf, type PassFacts, passHash, scopeOf, tagOf } from './hashes.ts';
import { checkAttributes, type WitnessAttributes } from './witness.ts';

/** The named signals of eligibility.circom, as decimal strings. All but `contextHash` are private. */
export interface CircuitInput {
  readonly contextHash: string;
  readonly region: string;
  readonly status: string;
  readonly birthDate: string;
  readonly salt: string;
  readonly person: string;
  readonly limited: string;
  /** With a place, the last two are its scope and its tag. */
  readonly clauseHashes: readonly string[];
  readonly regionMask: string;
  readonly statusMask: string;
  readonly minAge: string;
  readonly asOf: string;
  readonly passHash: string;
}

/** The private signals, from which the context hash follows. */
export type PrivateInput = Omit<CircuitInput, 'contextHash'>;

/** The facts to prove, and the pass that they are for. */
export interface CircuitInputFacts extends PassFacts {
  readonly attributes: WitnessAttributes;
  /** The rule set's clauses, in its own order. */
  readonly clauses: readonly ClauseMasks[];
  /** Date code of the day on which age is counted. */
  readonly asOf: number;
  /** The number of the place, which a rule set that limits the wallets of a person needs, and no other can have. */
  readonly place?: number | undefined;
}

/** Returns the input of the witness calculator, as {@link privateInput} does, with the context hash. */
export async function circuitInput(facts: CircuitInputFacts): Promise<CircuitInput> {
  const input = await privateInput(facts);
  const [scope, tag] = input.clauseHashes.slice(LIMITED_CLAUSE_SLOTS).map(BigInt) as [bigint, bigint];
  const hash = contextHash({
    clauseHashes: clauseHashes(facts.clauses),
    commitment: commitmentOf(facts.attributes),
    asOf: facts.asOf,
    passHash: BigInt(input.passHash),
    place: facts.place === undefined ? undefined : { scope, tag },
  });
  return { contextHash: hash.toString(), ...input };
}

/**
 * Returns the private input of the witness calculator. It opens the first clause that holds. The proof does not show which
 * one.
 *
 * @throws EligibilityError NOT_ELIGIBLE when no clause holds; WITNESS_INVALID, CLAUSE_INVALID, CONTEXT_INVALID or
 *   DATE_INVALID when a part is out of range.
 */
export async function privateInput({
  attributes,
  clauses,
  asOf,
  place,
  ...pass
}: CircuitInputFacts): Promise<PrivateInput> {
  const limited = place !== undefined;
  checkClauses(clauses, limited ? LIMITED_CLAUSE_SLOTS : CLAUSE_SLOTS);
  checkAttributes(attributes);
  const hash = await passHash(pass);
  dateOfCode(asOf);
  const matching = matchingClause(attributes, clauses, asOf);
  const opened = matching === undefined ? undefined : clauses[matching];
  if (!opened) {
    throw new EligibilityError(
      'NOT_ELIGIBLE',
      'No clause of the rule set holds for this credential, so it cannot be proved. ' +
        'Call evaluateClause to see which requirement of each clause is not met.',
    );
  }
  const slots = clauseHashes(clauses);
  if (limited) {
    const scope = await scopeOf({ rule: pass.rule, place });
    slots.splice(LIMITED_CLAUSE_SLOTS, 2, scope, tagOf({ person: attributes.person, scope }));
  }
  return {
    region: attributes.region.toString(),
    status: attributes.status.toString(),
    birthDate: attributes.birthDate.toString(),
    salt: attributes.salt.toString(),
    person: attributes.person.toString(),
    limited: limited ? '1' : '0',
    clauseHashes: slots.map(String),
    regionMask: opened.regionMask.toString(),
    statusMask: opened.statusMask.toString(),
    minAge: opened.minAge.toString(),
    asOf: asOf.toString(),
    passHash: hash.toString(),
  };
}

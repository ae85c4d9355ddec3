import { cuts } from '../test/attacks/cuts.ts';
import { falseStatements } from '../test/attacks/false-statements.ts';
import { forgeries } from '../test/attacks/forgeries.ts';
import { honestCases } from '../test/attacks/honest-cases.ts';
import { reopenings } from '../test/attacks/reopenings.ts';
import { signalsIn, solutionFor, witnessOfAttack } from '../test/support/circuit-under-test.ts';
import { type ConstraintSystem, satisfies, type Witness } from '../test/support/constraint-system.ts';
import type { Attack, Scenario } from '../test/support/scenario.ts';
import type { Solution } from '../test/support/solver.ts';
import { contextDayOf, falseClaims } from '../test/support/statement.ts';
import type { Mutant } from './mutants.ts';

/** Whether a witness shows that a mutant differs from the circuit. */
export type Verdict = { killed: true; by: string } | { killed: false };

/**
 * Returns a function that judges mutants only by what they accept. A mutant is killed if it rejects signals whose claims
 * are all true, or accepts a witness with a false claim.
 *
 * Every witness keeps to what the program guarantees: the day of the context is a date code, below 2^17, and 2^20 more if
 * the rule set is limited.
 *
 * @param original the circuit as written (`--O0`)
 */
export function judgeFor(
  original: ConstraintSystem,
): (system: ConstraintSystem, mutant: Pick<Mutant, 'kind' | 'statement'>) => Verdict {
  const honest = [...honestCases()];
  const attacks: Attack[] = [...falseStatements(), ...reopenings(), ...forgeries(), ...cuts()];
  const originalFor = oncePerSignals((signals) => solutionFor(original, signals));

  return (mutant, { kind, statement }) => {
    const names = new Map([...mutant.wireOf].map(([name, wire]) => [wire, name]));
    /** A signal that the mutant does not determine gets its value in the original circuit. */
    const solutionOf = ({ signals, set }: Pick<Attack, 'signals' | 'set'>) =>
      solutionFor(
        mutant,
        signals,
        (wire) => {
          const same = original.wireOf.get(names.get(wire) ?? '');
          return same === undefined ? 0n : originalFor(signals).witness[same]!;
        },
        set,
      );
    const plainFor = oncePerSignals((signals) => solutionOf({ signals, set: {} }));
    const isFalse = (witness: Witness) => {
      const signals = signalsIn(mutant, witness);
      const day = contextDayOf(signals);
      const isDate = [day, day - (1n << 20n)].some((code) => code >= 0n && code < 1n << 17n);
      return isDate && falseClaims(signals).length > 0;
    };

    const rejects = () => honest.find(({ signals }) => !satisfies(mutant, plainFor(signals).witness));
    const accepts = () =>
      nearestFirst(attacks, statement).find((attack) => {
        const { signals, set } = attack;
        // The other signals are computed either from the inner signals of the attack, or before these are set.
        const isAccepted = (witness: Witness) => satisfies(mutant, witness) && isFalse(witness);
        if (Object.keys(set).length === 0) return isAccepted(plainFor(signals).witness);
        const edited = () => witnessOfAttack(mutant, attack, plainFor(signals));
        return isAccepted(solutionOf({ signals, set }).witness) || isAccepted(edited());
      });
    const searches = [() => verdictOf('rejects', rejects()), () => verdictOf('accepts', accepts())];
    // Without a statement, a system accepts more.
    if (kind === 'unconstrained' || kind === 'removed') searches.reverse();
    for (const search of searches) {
      const verdict = search();
      if (verdict.killed) return verdict;
    }
    return { killed: false };
  };
}

/** Keeps the results for signals, because many attacks have the same ones. */
function oncePerSignals(solve: (signals: Scenario) => Solution): (signals: Scenario) => Solution {
  const solutions = new Map<string, Solution>();
  return (signals) => {
    const key = Object.entries(signals).join();
    const solution = solutions.get(key) ?? solve(signals);
    solutions.set(key, solution);
    return solution;
  };
}

function verdictOf(what: 'rejects' | 'accepts', shown: { readonly name: string } | undefined): Verdict {
  return shown ? { killed: true, by: `${what} ${shown.name}` } : { killed: false };
}

/** Sorts attacks on the signals of a statement first, because the mutant most likely accepts one of these. */
function nearestFirst(attacks: readonly Attack[], statement: string): Attack[] {
  const words = new Set(statement.match(/[A-Za-z]\w+/g));
  const near = (attack: Attack) =>
    Object.keys(attack.set).some((name) =>
      name.match(/\w+/g)?.some((word) => words.has(word) && word !== 'main'),
    );
  return [...attacks.filter(near), ...attacks.filter((attack) => !near(attack))];
}

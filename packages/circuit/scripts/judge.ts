import { signalsIn, solutionFor, witnessOfAttack } from '../test/circuit-under-test.ts';
import { type ConstraintSystem, satisfies, type Witness } from '../test/constraint-system.ts';
import { cuts } from '../test/cuts.ts';
import { forgeries } from '../test/forgeries.ts';
import { honestCases } from '../test/honest-cases.ts';
import { lies } from '../test/lies.ts';
import { reopenings } from '../test/reopenings.ts';
import type { Attack, Scenario } from '../test/scenario.ts';
import type { Solution } from '../test/solver.ts';
import { falseClaims } from '../test/statement.ts';

/** What shows that a mutant is not the circuit. */
export type Verdict = { killed: true; by: string } | { killed: false };

/**
 * Judges mutants by nothing but what they accept: a mutant is killed when it refuses signals about which the statement
 * is true, or accepts a witness of signals about which it is false.
 *
 * Both sides hold what the circuit is told by the program: asOf is a date code, below 2^17.
 *
 * @param original the circuit, as written
 */
export function judgeFor(
  original: ConstraintSystem,
): (mutant: ConstraintSystem, statement: string) => Verdict {
  const honest = [...honestCases()];
  const attacks: Attack[] = [...lies(), ...reopenings(), ...forgeries(), ...cuts()];
  const solutions = new Map<Scenario, Solution>();
  const originalFor = (signals: Scenario) => {
    const solution = solutions.get(signals) ?? solutionFor(original, signals);
    solutions.set(signals, solution);
    return solution;
  };

  return (mutant, statement) => {
    const names = new Map([...mutant.wireOf].map(([name, wire]) => [wire, name]));
    /** A signal that the mutant does not determine is what the circuit's own statement would make it. */
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
    const isFalse = (witness: Witness) => {
      const signals = signalsIn(mutant, witness);
      return signals.asOf < 1n << 17n && falseClaims(signals).length > 0;
    };

    for (const { name, signals } of honest) {
      const { witness } = solutionOf({ signals, set: {} });
      if (!satisfies(mutant, witness)) return { killed: true, by: `refuses ${name}` };
    }
    for (const attack of nearestFirst(attacks, statement)) {
      const { signals, set, name } = attack;
      // The rest may follow from what the cheat sets, or be there before he sets it.
      const given = solutionOf({ signals, set }).witness;
      const edited = () => witnessOfAttack(mutant, attack, solutionOf({ signals, set: {} }));
      const isAccepted = (witness: Witness) => satisfies(mutant, witness) && isFalse(witness);
      if (isAccepted(given) || (Object.keys(set).length > 0 && isAccepted(edited()))) {
        return { killed: true, by: `accepts ${name}` };
      }
    }
    return { killed: false };
  };
}

/** Attacks on the signals of a statement first: one of these is the likeliest to be let through. */
function nearestFirst(attacks: readonly Attack[], statement: string): Attack[] {
  const words = new Set(statement.match(/[A-Za-z]\w+/g));
  const near = (attack: Attack) =>
    Object.keys(attack.set).some((name) =>
      name.match(/\w+/g)?.some((word) => words.has(word) && word !== 'main'),
    );
  return [...attacks.filter(near), ...attacks.filter((attack) => !near(attack))];
}

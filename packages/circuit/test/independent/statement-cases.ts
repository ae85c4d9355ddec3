import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';
import { falseStatements } from '../attacks/false-statements.ts';
import { honestCases } from '../attacks/honest-cases.ts';
import { reopenings } from '../attacks/reopenings.ts';
import { mod } from '../support/constraint-system.ts';
import { changedSignals, trueSignals } from '../support/random-signals.ts';
import { ALL_REGIONS, ALL_STATUSES, type Changes, day, placed, scenario } from '../support/scenario.ts';
import { clauseHashOf, type Signals } from '../support/statement.ts';

/** Signals of the circuit, which can be any field elements. */
export interface StatementCase {
  readonly name: string;
  readonly signals: Signals;
}

const SEED = 1658;

/** Returns the cases at the limits of each claim, then random ones. All claims of every second one are true. */
export function statementCases(random: number): StatementCase[] {
  const half = { seed: SEED, numRuns: random / 2 };
  const [accepted, changed] = [fc.sample(trueSignals, half), fc.sample(changedSignals, half)];
  return [
    ...honestCases(),
    ...falseStatements(),
    ...reopenings(),
    ...limits(),
    ...accepted.flatMap((signals, index) => [
      { name: `random true signals ${index}`, signals },
      { name: `random changed signals ${index}`, signals: changed[index]! },
    ]),
  ].map(({ name, signals }) => ({ name, signals }));
}

/** Yields signals at the limits of each number, whether they are true or not, in both kinds of rule set. */
function* limits(): Generator<StatementCase> {
  for (const limited of [0n, 1n]) {
    const one = (name: string, changes: Changes) => ({
      name: `${name}, limited ${limited}`,
      signals: scenario({ limited, ...changes }),
    });
    for (let slot = 0; slot <= 8; slot += 1) yield one(`a clause in slot ${slot}`, { slot });
    for (const region of [0n, 252n, 253n, 254n, 255n, 256n]) {
      for (const regionMask of [0n, 1n << mod(region), ALL_REGIONS, ALL_REGIONS + 1n]) {
        yield one(`region ${region} and mask ${regionMask.toString(16)}`, { region, regionMask });
      }
    }
    for (const status of [0n, 31n, 32n]) {
      for (const statusMask of [0n, 1n << status, ALL_STATUSES, ALL_STATUSES + 1n]) {
        yield one(`status ${status} and mask ${statusMask.toString(16)}`, { status, statusMask });
      }
    }
    for (const secret of [0n, 1n, FIELD_ORDER - 1n]) {
      yield one(`person ${secret}`, { person: secret });
      yield one(`salt ${secret}`, { salt: secret });
      yield one(`pass hash ${secret}`, { passHash: secret });
      const slots = placed(scenario().clauseHashes, secret, secret);
      yield one(`person and scope ${secret}`, { person: secret, clauseHashes: slots });
    }
    const birthDate = day(2008, 12, 31);
    for (const asOf of [
      day(2026, 12, 30),
      day(2026, 12, 31),
      day(2027, 1, 1),
      0n,
      (1n << 17n) - 1n,
      1n << 17n,
    ]) {
      for (const shift of [0n, 1n << 20n, -(1n << 20n)]) {
        yield one(`day ${asOf} and ${shift}`, { birthDate, asOf: mod(asOf + shift) });
      }
    }
    // 18 bits limit the difference of the two days.
    for (const days of [(1n << 18n) - 1n, 1n << 18n]) {
      yield one(`a difference of ${days}`, { minAge: 0n, birthDate: 33n, asOf: 33n + days });
    }
    for (const slot of [6, 7]) {
      const clauses = scenario({ limited, slot: 8 }).clauseHashes;
      const opened = clauseHashOf(scenario());
      yield one(`only the clause of slot ${slot}`, { clauseHashes: clauses.with(slot, opened) });
    }
  }
}

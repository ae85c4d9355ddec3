import type { CircuitInput } from '@service/protocol/eligibility';
import { WitnessError } from './errors.ts';
import { mod } from './field.ts';

/** The names of the inputs in the order of their wires, and the number of values of each. */
const SIZES = {
  contextHash: 1,
  region: 1,
  status: 1,
  birthDate: 1,
  salt: 1,
  person: 1,
  limited: 1,
  clauseHashes: 8,
  regionMask: 1,
  statusMask: 1,
  minAge: 1,
  asOf: 1,
  passHash: 1,
} as const satisfies Record<keyof CircuitInput, number>;

/** The inputs of the circuit as field elements. */
export type Signals = Readonly<Record<Exclude<keyof CircuitInput, 'clauseHashes'>, bigint>> & {
  readonly clauseHashes: readonly bigint[];
};

/**
 * Reads the inputs in the order of their wires. It accepts what circom's calculator accepts: any integers, which it
 * reduces modulo the order of the field.
 *
 * @throws WitnessError INPUT_MALFORMED
 */
export function readSignals(input: CircuitInput): Signals {
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(SIZES, name));
  if (unknown !== undefined) {
    throw new WitnessError('INPUT_MALFORMED', `The circuit has no input ${unknown}. Remove it.`);
  }
  const entries = Object.entries(SIZES).map(([name, size]) => {
    const values = integers(input[name as keyof CircuitInput]);
    if (values?.length !== size) {
      const expected = size === 1 ? 'an integer' : `a list of ${size} integers`;
      throw new WitnessError(
        'INPUT_MALFORMED',
        `${name} is not ${expected}. Pass what circuitInput returns.`,
      );
    }
    return [name, name === 'clauseHashes' ? values : values[0]];
  });
  return Object.fromEntries(entries) as Signals;
}

/** Returns one or several integers as field elements, or undefined if one is not an integer. */
function integers(value: string | readonly string[]): bigint[] | undefined {
  try {
    return [value].flat().map((text) => mod(BigInt(text)));
  } catch {
    return undefined;
  }
}

/** What Poseidon is asked wherever it is computed: of two inputs and of eleven, the only numbers in use. */
import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';

/** Ends of the field, and of the numbers that are put into it. */
const BOUNDARIES = [
  0n,
  1n,
  2n ** 32n - 1n,
  2n ** 64n - 1n,
  2n ** 128n,
  2n ** 253n - 1n,
  2n ** 253n,
  FIELD_ORDER - 2n,
  FIELD_ORDER - 1n,
];

const RANDOM_LISTS = 24;

function listsOf(arity: number, seed: number): bigint[][] {
  const element = fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n });
  const list = fc.array(element, { minLength: arity, maxLength: arity });
  const random = fc.sample(list, { seed, numRuns: RANDOM_LISTS });
  const equal = BOUNDARIES.map((boundary) => Array.from({ length: arity }, () => boundary));
  // Each boundary at each place, among random numbers.
  const single = BOUNDARIES.flatMap((boundary) =>
    Array.from({ length: arity }, (_, place) => (random[place] as bigint[]).with(place, boundary)),
  );
  return [...random, ...equal, ...single];
}

/** Lists of two and of eleven field elements: random ones of a fixed seed, and boundaries alone and at each place. */
export const POSEIDON_INPUTS: readonly (readonly bigint[])[] = [...listsOf(2, 253), ...listsOf(11, 1393)];

/** Lists with one number that is not below the field's order, at each place. */
export const UNREDUCED_INPUTS: readonly (readonly bigint[])[] = [2, 11].flatMap((arity) =>
  [FIELD_ORDER, FIELD_ORDER + 1n, 2n ** 256n - 1n].flatMap((number) =>
    Array.from({ length: arity }, (_, place) => Array.from({ length: arity }, () => 1n).with(place, number)),
  ),
);

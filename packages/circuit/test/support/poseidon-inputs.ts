/** Inputs for every implementation of Poseidon. The protocol hashes lists of two, three and eleven elements only. */
import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';

/** Limits of the field, and of the numbers that are stored in it. */
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
  const equal = BOUNDARIES.map((boundary) => Array<bigint>(arity).fill(boundary));
  // Each boundary at each place, with random numbers at the others.
  const single = BOUNDARIES.flatMap((boundary) =>
    random.slice(0, arity).map((numbers, place) => numbers.with(place, boundary)),
  );
  return [...random, ...equal, ...single];
}

/** Lists of two, three and eleven field elements: random ones from a fixed seed, and ones with each boundary at each place. */
export const POSEIDON_INPUTS: readonly (readonly bigint[])[] = [2, 3, 11].flatMap((arity) =>
  listsOf(arity, 1393),
);

/** Lists with one number that is not below the order of the field, at each place. */
export const UNREDUCED_INPUTS: readonly (readonly bigint[])[] = [2, 3, 11].flatMap((arity) =>
  [FIELD_ORDER, FIELD_ORDER + 1n, 2n ** 256n - 1n].flatMap((number) =>
    Array.from({ length: arity }, (_, place) => Array.from({ length: arity }, () => 1n).with(place, number)),
  ),
);

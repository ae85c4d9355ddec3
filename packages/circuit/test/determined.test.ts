import { expect, it } from 'vitest';
import type { Combination, Constraint, ConstraintSystem } from './support/constraint-system.ts';
import { undetermined } from './support/determined.ts';

/** A sum of wires, by their coefficients. Wire 0 is the constant 1. */
const sum = (terms: Readonly<Record<number, bigint>>): Combination => ({
  wires: Object.keys(terms).map(Number),
  coefficients: Object.values(terms),
});

/** Says that this multiple of a wire is 0 or 1. */
const binary = (wire: number, multiple: bigint): Constraint => ({
  a: sum({ [wire]: multiple }),
  b: sum({ 0: -1n, [wire]: multiple }),
  c: sum({}),
});

/** Returns the wires that an input in wire 1, the sum of parts, does not determine. */
function undeterminedOf(parts: Readonly<Record<number, bigint>>, ...others: Constraint[]) {
  const whole = { a: sum({ 0: 1n }), b: sum(parts), c: sum({ 1: 1n }) };
  const system: ConstraintSystem = {
    wireCount: 2 + others.length,
    constraints: [...others, whole],
    constraintsOf: [],
    wireOf: new Map([['main.whole', 1]]),
  };
  return undetermined(system, (name) => name === 'main.whole');
}

it('a sum of bits determines them, each times its own power of two', () => {
  expect(undeterminedOf({ 2: 1n, 3: 2n, 4: -4n }, binary(2, 1n), binary(3, 1n), binary(4, -1n))).toEqual([]);
});

it('a sum of bits with the same power of two does not', () => {
  expect(undeterminedOf({ 2: 2n, 3: 2n }, binary(2, 1n), binary(3, 1n))).toEqual([2, 3]);
});

it('a sum of wires does not, if only a multiple of a wire is a bit', () => {
  // Wire 3 is 0 or 1/5, and wire 4 is 0 or 1/10. So one or the other is not 0 if the input is 2/5.
  expect(undeterminedOf({ 2: 1n, 3: 2n, 4: 4n }, binary(2, 1n), binary(3, 5n), binary(4, 10n))).toEqual([
    2, 3, 4,
  ]);
});

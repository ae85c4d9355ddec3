/** The rows of the matrices A and B. A test compares them with the compiled constraints. */
import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { only } from './field.ts';
import type { Trace } from './poseidon/trace.ts';

/** The values of a row of A and of B. Their product is the value of the row of C. */
export type Row = readonly [a: bigint, b: bigint];

/** Returns the row of a product of two field elements. circom multiplies the first one by -1. */
export function row(first: bigint, second: bigint): Row {
  return [first === 0n ? 0n : FIELD_ORDER - first, second];
}

/** Returns the rows that allow only 0 and 1 for each bit: (bit - 1) * bit = 0. */
export function bitRows(bits: readonly bigint[]): Row[] {
  return bits.map((bit) => row(1n - bit, bit));
}

/**
 * Returns the rows of circuits/one-hot.circom, those of the highest bit first. Each bit except the lowest has a row for
 * each flag of the bits below it.
 */
export function oneHotRows(index: number, bits: number): Row[] {
  if (bits === 1) return [];
  const half = 1 << (bits - 1);
  const lower = index & (half - 1);
  const bit = index < half ? 0n : 1n;
  return [...only(lower, half).map((flag) => row(flag, bit)), ...oneHotRows(lower, bits - 1)];
}

/** Returns the rows of a hash: three for each S-box. The first S-box has none, because its input is a constant. */
export function hashRows({ sboxes }: Trace): Row[] {
  return sboxes
    .slice(1)
    .flatMap(({ input, square, fourth }) => [row(input, input), row(square, square), row(fourth, input)]);
}

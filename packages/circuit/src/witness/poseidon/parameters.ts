import { mod } from '../field.ts';
import { startGrain } from './grain.ts';
import {
  cauchy,
  type Matrix,
  multiply,
  type Packed,
  pack,
  packColumn,
  power,
  times,
  transpose,
  type Vector,
} from './matrix.ts';

/** The rounds with an S-box for each element: four before the partial rounds and four after them. */
export const FULL_ROUNDS = 8;

/** The rounds with one S-box, by the elements of the state. */
const PARTIAL_ROUNDS = { 3: 57, 4: 56, 12: 60 };

/** The elements of a state. The circuit hashes two, three and eleven inputs, and a state has one more. */
export type Width = keyof typeof PARTIAL_ROUNDS;

/** What the permutation of one width adds and multiplies by. */
export interface Parameters {
  /** Added to the state before the first round. */
  readonly first: Vector;
  /** Added to the state after the S-boxes of each full round except the last. */
  readonly afterFull: readonly Vector[];
  /** Added to the first element after the S-box of each partial round. */
  readonly afterPartial: Vector;
  /** The matrix of each full round except the fourth. */
  readonly mix: Packed;
  /** The first row of `mix`. */
  readonly mixRow: Vector;
  /** The matrix of the fourth full round, the one before the partial rounds. */
  readonly mixBeforePartial: Packed;
  /** The matrix of each partial round: the identity, except for the first row and the first column. */
  readonly sparse: readonly { readonly row: Vector; readonly column: bigint }[];
}

const known = new Map<Width, Parameters>();

/**
 * Returns the parameters of a width. The first call computes them.
 *
 * The paper defines round constants and one matrix. circomlib computes an equivalent permutation with fewer products, and
 * its inner values are wires of the circuit. As a list, the constants of all widths would be 85 KB that no compression
 * makes smaller.
 */
export function parametersOf(width: Width): Parameters {
  const parameters = known.get(width) ?? compute(width);
  known.set(width, parameters);
  return parameters;
}

function compute(width: Width): Parameters {
  const partialRounds = PARTIAL_ROUNDS[width];
  const grain = startGrain(width, FULL_ROUNDS, partialRounds);
  const constants = Array.from({ length: FULL_ROUNDS + partialRounds }, () =>
    Array.from({ length: width }, () => grain.nextElement()),
  );
  const xs = Array.from({ length: width }, () => grain.nextReduced());
  const ys = Array.from({ length: width }, () => grain.nextReduced());
  const { matrix, inverse } = cauchy(xs, ys);
  const inner = cauchy(xs.slice(1), ys.slice(1));
  return {
    mix: pack(matrix),
    mixRow: matrix[0]!,
    ...moveConstants(constants, pack(inverse), partialRounds),
    ...makeSparse(matrix, inner, partialRounds),
  };
}

/**
 * Moves the constants of each round into the round before it, to where they are added before the matrix. In a partial
 * round, only the first element has an S-box. So the constants of the others move on to the round before, and so forth.
 */
function moveConstants(constants: readonly Vector[], unmix: Packed, partialRounds: number) {
  const half = FULL_ROUNDS / 2;
  const afterPartial: bigint[] = [];
  let moved = constants[half + partialRounds]!;
  for (let round = half + partialRounds - 1; round >= half; round -= 1) {
    const [first = 0n, ...rest] = times(unmix, moved);
    afterPartial.unshift(first);
    moved = constants[round]!.map((constant, index) => mod(constant + (index > 0 ? rest[index - 1]! : 0n)));
  }
  const later = constants.slice(half + partialRounds + 1);
  const afterFull = [...constants.slice(1, half), moved, ...later].map((vector) => times(unmix, vector));
  return { first: constants[0]!, afterFull, afterPartial };
}

/**
 * Splits the matrix of each partial round, from the last to the first, into a sparse one and one that leaves the first
 * element as it is. The second one does not touch the element with the S-box, so it becomes a part of the round before.
 *
 * @param inner the matrix without its first row and column
 */
function makeSparse(mix: Matrix, inner: { matrix: Matrix; inverse: Matrix }, partialRounds: number) {
  const [[corner = 0n, ...toFirst] = [], ...below] = mix;
  const forth = pack(inner.matrix);
  const back = pack(transpose(inner.inverse));
  const sparse: Parameters['sparse'][number][] = [];
  let row: Vector = toFirst;
  let column: Vector = below.map(([first = 0n]) => first);
  for (let round = 0; round < partialRounds; round += 1) {
    row = times(back, row);
    sparse.unshift({ row: [corner, ...row], column: packColumn(column) });
    column = times(forth, column);
  }
  const before = [mix[0]!, ...multiply(power(inner.matrix, partialRounds), below)];
  return { sparse, mixBeforePartial: pack(before) };
}

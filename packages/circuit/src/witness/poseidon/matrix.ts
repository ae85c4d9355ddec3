import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { inverses, mod } from '../field.ts';

/** Elements of the field. */
export type Vector = readonly bigint[];
/** Rows of elements of the field. */
export type Matrix = readonly Vector[];

/** The columns of a matrix, each packed into one integer. A product with it is one operation for the whole column. */
export interface Packed {
  readonly columns: Vector;
  readonly rows: number;
}

/** The bits of a place in a packed column: enough for a sum of 4,096 products of two elements. */
const PLACE_BITS = 520n;

/** Packs a matrix for {@link times}. */
export function pack(matrix: Matrix): Packed {
  return { columns: transpose(matrix).map(packColumn), rows: matrix.length };
}

/** Packs a vector into one integer. */
export function packColumn(column: Vector): bigint {
  return column.reduceRight((packed, value) => (packed << PLACE_BITS) | value, 0n);
}

/** Returns the elements of a packed column, reduced. Before, they can be sums of up to 4,096 products. */
export function unpackColumn(packed: bigint, rows: number): bigint[] {
  return Array.from(
    { length: rows },
    (_, row) => BigInt.asUintN(Number(PLACE_BITS), packed >> (PLACE_BITS * BigInt(row))) % FIELD_ORDER,
  );
}

/** Returns `matrix * vector`. */
export function times({ columns, rows }: Packed, vector: Vector): bigint[] {
  let sum = 0n;
  for (let index = 0; index < columns.length; index += 1) sum += columns[index]! * vector[index]!;
  return unpackColumn(sum, rows);
}

/** Returns the sum of the products of two vectors. */
export function dot(a: Vector, b: Vector): bigint {
  let sum = 0n;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum % FIELD_ORDER;
}

/** Returns the columns of a matrix. */
export function transpose(matrix: Matrix): bigint[][] {
  return matrix[0]!.map((_, column) => matrix.map((row) => row[column]!));
}

/** Returns the product of two matrices. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  const packed = pack(a);
  return transpose(transpose(b).map((column) => times(packed, column)));
}

/** Returns a square matrix to a power of 1 or more. */
export function power(matrix: Matrix, exponent: number): Matrix {
  if (exponent === 1) return matrix;
  const half = power(matrix, exponent >> 1);
  const square = multiply(half, half);
  return exponent & 1 ? multiply(square, matrix) : square;
}

/** Returns the Cauchy matrix `1 / (xs[row] + ys[column])` and its inverse. */
export function cauchy(xs: Vector, ys: Vector): { matrix: Matrix; inverse: Matrix } {
  const size = xs.length;
  const entries = inverses(xs.flatMap((x) => ys.map((y) => mod(x + y))));
  const matrix = xs.map((_, row) => entries.slice(row * size, (row + 1) * size));
  // The sums of an element with all of the other list, over its differences to all others of its own list.
  const quotients = (own: Vector, other: Vector) => {
    const divisors = inverses(
      own.map((value) => product(own.map((each) => (each === value ? 1n : value - each)))),
    );
    return own.map((value, index) => mod(product(other.map((each) => value + each)) * divisors[index]!));
  };
  const [ofRows, ofColumns] = [quotients(xs, ys), quotients(ys, xs)];
  const inverse = ys.map((_, row) =>
    xs.map((_, column) => mod(mod(ofRows[column]! * ofColumns[row]!) * matrix[column]![row]!)),
  );
  return { matrix, inverse };
}

function product(values: Vector): bigint {
  return values.reduce((all, value) => mod(all * value), 1n);
}

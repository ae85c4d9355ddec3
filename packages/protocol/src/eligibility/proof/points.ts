import { bytesToInteger, integerToBytes } from '../field.ts';

/** The order q of bn128's base field: point coordinates are below it. */
export const COORDINATE_ORDER =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** An affine point of bn128's first group. */
export interface PointG1 {
  readonly x: bigint;
  readonly y: bigint;
}

/** An element c0 + c1·u of the quadratic extension. */
export interface Extension {
  readonly c0: bigint;
  readonly c1: bigint;
}

/** An affine point of bn128's second group. */
export interface PointG2 {
  readonly x: Extension;
  readonly y: Extension;
}

const q = COORDINATE_ORDER;
const mod = (value: bigint): bigint => ((value % q) + q) % q;

/** The twist's constant 3 / (9 + u). */
const TWIST: Extension = {
  c0: 19485874751759354771024239261021720505790618469301721065564631296452457478373n,
  c1: 266929791119991161246907387137283842545076965332900288569378510910307636690n,
};

const multiply = (a: Extension, b: Extension): Extension => ({
  c0: mod(a.c0 * b.c0 - a.c1 * b.c1),
  c1: mod(a.c0 * b.c1 + a.c1 * b.c0),
});

/** Returns whether the point satisfies y² = x³ + 3. The point at infinity has no affine form and is rejected. */
export function isOnG1({ x, y }: PointG1): boolean {
  return mod(y * y - x * x * x - 3n) === 0n;
}

/**
 * Returns whether the point satisfies the twist's equation y² = x³ + 3/(9+u).
 *
 * It does not check that the point is in the subgroup of order r. The syscall and `@service/prover` check it. snarkjs
 * does not.
 */
export function isOnG2({ x, y }: PointG2): boolean {
  const left = multiply(y, y);
  const right = multiply(multiply(x, x), x);
  return mod(left.c0 - right.c0 - TWIST.c0) === 0n && mod(left.c1 - right.c1 - TWIST.c1) === 0n;
}

/** Returns the negated point: (x, q - y). */
export function negateG1({ x, y }: PointG1): PointG1 {
  return { x, y: mod(-y) };
}

/** Returns 64 bytes: x, y. */
export function g1ToBytes(point: PointG1): Uint8Array {
  return joinCoordinates([point.x, point.y]);
}

/** Returns 128 bytes: x.c1, x.c0, y.c1, y.c0, the order of the alt_bn128 syscalls. */
export function g2ToBytes(point: PointG2): Uint8Array {
  return joinCoordinates([point.x.c1, point.x.c0, point.y.c1, point.y.c0]);
}

/** Reads 32-byte big-endian coordinates one after the other; null when one is not below q. */
export function readCoordinates(bytes: Uint8Array): bigint[] | null {
  const coordinates: bigint[] = [];
  for (let offset = 0; offset < bytes.length; offset += 32) {
    coordinates.push(bytesToInteger(bytes.subarray(offset, offset + 32)));
  }
  return coordinates.every((coordinate) => coordinate < q) ? coordinates : null;
}

function joinCoordinates(coordinates: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(coordinates.length * 32);
  coordinates.forEach((coordinate, index) => {
    bytes.set(integerToBytes(coordinate), index * 32);
  });
  return bytes;
}

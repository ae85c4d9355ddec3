import { COORDINATE_ORDER, isOnG1, isOnG2, type PointG1, type PointG2 } from './points.ts';

/** A point of the first group as snarkjs writes it: projective x, y, z as decimal strings, z being "1". */
export type SnarkjsG1 = readonly string[];

/** A point of the second group as snarkjs writes it: [[x.c0, x.c1], [y.c0, y.c1], ["1", "0"]]. */
export type SnarkjsG2 = readonly (readonly string[])[];

/** Reads a G1 point written by snarkjs; null when it is malformed, out of range, infinite or off the curve. */
export function parseSnarkjsG1(value: unknown): PointG1 | null {
  if (!Array.isArray(value) || value.length !== 3 || value[2] !== '1') return null;
  const x = parseCoordinate(value[0]);
  const y = parseCoordinate(value[1]);
  if (x === null || y === null) return null;
  return isOnG1({ x, y }) ? { x, y } : null;
}

/** Reads a G2 point written by snarkjs; null when it is malformed, out of range, infinite or off the twist. */
export function parseSnarkjsG2(value: unknown): PointG2 | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [x, y, z] = value.map(parsePair);
  if (!x || !y || !z || z.c0 !== 1n || z.c1 !== 0n) return null;
  return isOnG2({ x, y }) ? { x, y } : null;
}

/** Writes a G1 point the way snarkjs reads it. */
export function toSnarkjsG1({ x, y }: PointG1): [string, string, string] {
  return [x.toString(), y.toString(), '1'];
}

/** Writes a G2 point the way snarkjs reads it. */
export function toSnarkjsG2({ x, y }: PointG2): [[string, string], [string, string], [string, string]] {
  return [
    [x.c0.toString(), x.c1.toString()],
    [y.c0.toString(), y.c1.toString()],
    ['1', '0'],
  ];
}

function parsePair(value: unknown): { c0: bigint; c1: bigint } | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const c0 = parseCoordinate(value[0]);
  const c1 = parseCoordinate(value[1]);
  return c0 === null || c1 === null ? null : { c0, c1 };
}

function parseCoordinate(value: unknown): bigint | null {
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,77})$/.test(value)) return null;
  const coordinate = BigInt(value);
  return coordinate < COORDINATE_ORDER ? coordinate : null;
}

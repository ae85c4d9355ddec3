/** Statements whose points have known scalars, so that their equation says whether a proof verifies. */
import { bn254 } from '@noble/curves/bn254.js';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';
import type { ProofStatement } from '../../src/index.ts';

const { G1, G2, fields } = bn254;
const { Fp, Fr } = fields;
/** The order of the coordinates. */
export const PRIME = Fp.ORDER;

/** The scalars of a statement's points, and its signal. */
interface Scalars {
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
  readonly constant: bigint;
  readonly factor: bigint;
  readonly signal: bigint;
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
}

/** Returns numbers of 32 bytes, big-endian. */
export const bytesOf = (...numbers: readonly bigint[]) =>
  Buffer.from(numbers.map((number) => number.toString(16).padStart(64, '0')).join(''), 'hex');

function g1(scalar: bigint): Buffer {
  const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
  return bytesOf(x, y);
}

function g2(scalar: bigint): Buffer {
  const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
  return bytesOf(x.c1, x.c0, y.c1, y.c0);
}

/** Returns the statement with these scalars. */
export function statement({
  alpha,
  beta,
  gamma,
  delta,
  constant,
  factor,
  signal,
  a,
  b,
  c,
}: Scalars): ProofStatement {
  return {
    key: Buffer.concat([g1(alpha), g2(beta), g2(gamma), g2(delta), g1(constant), g1(factor)]),
    signal: bytesOf(signal),
    proof: Buffer.concat([g1(Fr.neg(a)), g2(b), g1(c)]),
  };
}

/** Returns the scalar of C for which a proof verifies: a b = alpha beta + (constant + signal factor) gamma + c delta. */
export function scalarOfC({
  alpha,
  beta,
  gamma,
  delta,
  constant,
  factor,
  signal,
  a,
  b,
}: Omit<Scalars, 'c'>): bigint {
  const sum = Fr.add(Fr.mul(alpha, beta), Fr.mul(Fr.add(constant, Fr.mul(signal, factor)), gamma));
  return Fr.div(Fr.sub(Fr.mul(a, b), sum), delta);
}

/** A scalar, also at the limits. */
export const scalar = fc.oneof(
  fc.bigInt(1n, FIELD_ORDER - 1n),
  fc.constantFrom(1n, 2n, FIELD_ORDER - 1n, FIELD_ORDER - 2n, (1n << 127n) - 1n, 1n << 253n),
);
/** The scalars of a statement that verifies. */
export const scalars = fc
  .record({
    ...{ alpha: scalar, beta: scalar, gamma: scalar, delta: scalar, constant: scalar, factor: scalar },
    ...{ signal: fc.oneof(scalar, fc.constant(0n)), a: scalar, b: scalar },
  })
  .map((some) => ({ ...some, c: scalarOfC(some) }))
  .filter(({ c, constant, factor, signal }) => c !== 0n && Fr.add(constant, Fr.mul(signal, factor)) !== 0n);

/** Small scalars, without that of C. */
export const known = {
  ...{ alpha: 2n, beta: 3n, gamma: 5n, delta: 7n, constant: 11n, factor: 13n, signal: 17n, a: 19n, b: 23n },
};
/** A statement that verifies. */
export const one = statement({ ...known, c: scalarOfC(known) });

/** Returns some points of the curve of G2 that are not in G2. Points of G2 are too rare to have a small x. */
export function outsideOfG2(): Buffer[] {
  const { Fp2 } = fields;
  const constant = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  return Array.from({ length: 20 }, (_, index) => Fp2.fromBigTuple([BigInt(index), 1n])).flatMap((x) => {
    try {
      const y = Fp2.sqrt(Fp2.add(Fp2.pow(x, 3n), constant));
      return [bytesOf(x.c1, x.c0, y.c1, y.c0)];
    } catch {
      return [];
    }
  });
}

/** Adds two scalars. */
export const addScalars = (one: bigint, other: bigint): bigint => Fr.add(one, other);

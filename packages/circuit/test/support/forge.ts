import { createCipheriv, createHash } from 'node:crypto';
import { FIELD_ORDER, type SetupBeacon } from '@service/protocol/eligibility';
import { type Curve, type Proof, zKey } from 'snarkjs';
import { type Combination, type ConstraintSystem, mod } from './constraint-system.ts';

/** The secret of the powers of tau. */
interface Trapdoor {
  readonly tau: bigint;
  readonly alpha: bigint;
  readonly beta: bigint;
}

/** What a forger reads: the published key, its constraint system, and the beacon that closed the powers of tau. */
export interface Published {
  readonly system: ConstraintSystem;
  readonly zkey: Uint8Array;
  readonly phase1Beacon: SetupBeacon;
}

/**
 * Forges a proof for a public signal from published files, without a witness. It needs no secret of phase 2.
 *
 * A proof (A, B, C) verifies if A*B = alpha*beta + ic + C*delta, where `ic` stands for the public signal. The forger takes
 * A = alpha and B = beta, so C must be -ic / delta. The key contains k / delta for each private wire, as a point, and the
 * forger knows k: it depends only on tau, alpha and beta.
 */
export async function forgeProof(
  curve: Curve,
  { system, zkey, phase1Beacon }: Published,
  publicSignal: bigint,
): Promise<Proof> {
  const key = await zKey.exportJson(zkey);
  const trapdoor = trapdoorOf(curve, phase1Beacon);
  const scalar = (wire: number) => scalarOf(system, key.domainSize, trapdoor, wire);
  const ic = scalar(0) + publicSignal * scalar(1);
  const privateWire = 2;
  const factor = mod(-ic * inverse(scalar(privateWire)));
  const c = curve.G1.timesScalar(curve.G1.fromObject(key.C[privateWire]!.map(BigInt)), factor);
  return {
    pi_a: key.vk_alpha_1,
    pi_b: key.vk_beta_2,
    pi_c: curve.G1.toObject(curve.G1.toAffine(c)).map(String),
    protocol: 'groth16',
    curve: 'bn128',
  };
}

/** Computes the secret that a beacon adds to powers of tau, as snarkjs does: hashes seed ChaCha20, which yields tau, alpha, beta. */
function trapdoorOf({ Fr }: Curve, { hash, iterationsExponent }: SetupBeacon): Trapdoor {
  let seed = Buffer.from(hash, 'hex');
  for (let left = 2 ** iterationsExponent; left > 0; left -= 1)
    seed = createHash('sha256').update(seed).digest();
  // snarkjs reads the words of the seed in big-endian order, ChaCha20 in little-endian order.
  const stream = createCipheriv('chacha20', seed.swap32(), Buffer.alloc(16));
  const word = () => BigInt(stream.update(Buffer.alloc(4)).readUInt32LE());
  const random = { nextU64: () => word() * 2n ** 32n + word() };
  const next = () => Fr.toObject(Fr.fromRng(random));
  return { tau: next(), alpha: next(), beta: next() };
}

/** Returns beta*a(tau) + alpha*b(tau) + c(tau) of a wire. */
function scalarOf(
  system: ConstraintSystem,
  rows: number,
  { tau, alpha, beta }: Trapdoor,
  wire: number,
): bigint {
  const { constraints } = system;
  let sum = 0n;
  for (const [row, { a, b, c }] of constraints.entries()) {
    const weight = beta * coefficient(a, wire) + alpha * coefficient(b, wire) + coefficient(c, wire);
    sum += lagrange(rows, row, tau) * weight;
  }
  // snarkjs appends a row for the constant and for each public signal, of which there is one.
  if (wire <= 1) sum += lagrange(rows, constraints.length + wire, tau) * beta;
  return mod(sum);
}

function coefficient({ wires, coefficients }: Combination, wire: number): bigint {
  return coefficients[wires.indexOf(wire)] ?? 0n;
}

/** Returns the polynomial at tau that is 1 at one row and 0 at the others. */
function lagrange(rows: number, row: number, tau: bigint): bigint {
  const root = power(power(5n, (FIELD_ORDER - 1n) / BigInt(rows)), BigInt(row));
  return mod(root * (power(tau, BigInt(rows)) - 1n) * inverse(BigInt(rows) * (tau - root)));
}

function inverse(value: bigint): bigint {
  return power(mod(value), FIELD_ORDER - 2n);
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power(mod(base * base), exponent / 2n);
  return exponent % 2n === 0n ? half : mod(half * base);
}

import { bn254 } from '@noble/curves/bn254.js';
import { decodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';

const { G1, G2, fields, millerLoopBatch } = bn254;
const { calcPairingPrecomputes } = bn254.utils;

type G1Point = InstanceType<typeof G1.Point>;

/** The part of a verifying key that is the same for each proof. */
interface PreparedKey {
  readonly bytes: Uint8Array;
  /** The value of the Miller loop of alpha and beta. */
  readonly alphaBeta: ReturnType<typeof millerLoopBatch>;
  /** The lines of the Miller loops of gamma and delta. */
  readonly gamma: ReturnType<typeof calcPairingPrecomputes>;
  readonly delta: ReturnType<typeof calcPairingPrecomputes>;
  readonly ic: readonly [G1Point, G1Point];
}

let prepared: PreparedKey | undefined;

/**
 * Returns whether a proof of 256 bytes verifies for a context hash: e(-A, B) e(alpha, beta) e(IC, gamma) e(C, delta) = 1
 * (SPEC.md section 1).
 *
 * @param vkey the verifying key, snarkjs's JSON, as bytes
 * @throws EligibilityError if a point of the proof is not on its curve; Error if one is not in its group, or the key
 *   cannot be read
 */
export function verifyProof(proof: Uint8Array, contextHash: bigint, vkey: Uint8Array): boolean {
  const { alphaBeta, gamma, delta, ic } = prepare(vkey);
  const { pi_a, pi_b, pi_c } = decodeProof(proof);
  const a = pointOfG1(pi_a).negate();
  const b = pointOfG2(pi_b);
  const c = pointOfG1(pi_c);
  const context = ic[0].add(ic[1].multiplyUnsafe(contextHash)).toAffine();
  const product = millerLoopBatch([
    [calcPairingPrecomputes(b), a.x, a.y],
    [gamma, context.x, context.y],
    [delta, c.x, c.y],
  ]);
  const { Fp12 } = fields;
  return Fp12.eql(Fp12.finalExponentiate(Fp12.mul(product, alphaBeta)), Fp12.ONE);
}

/** Returns the part of a key that is the same for each proof. Keeps it for the next call with the same key. */
function prepare(vkey: Uint8Array): PreparedKey {
  if (prepared && String(prepared.bytes) === String(vkey)) return prepared;
  const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
  const alpha = pointOfG1(key.vk_alpha_1);
  const [first, second, ...more] = key.IC.map(pointOfG1);
  if (!first || !second || more.length > 0)
    throw new Error('The verifying key is not for one public signal.');
  // Its table of multiples is built at the first proof, and makes later multiplications several times as fast.
  second.precompute(4);
  prepared = {
    bytes: Uint8Array.from(vkey),
    alphaBeta: millerLoopBatch([[calcPairingPrecomputes(pointOfG2(key.vk_beta_2)), alpha.x, alpha.y]]),
    gamma: calcPairingPrecomputes(pointOfG2(key.vk_gamma_2)),
    delta: calcPairingPrecomputes(pointOfG2(key.vk_delta_2)),
    ic: [first, second],
  };
  return prepared;
}

/** Returns an affine point of the first group, which has no other subgroup. Throws Error if it is not on the curve. */
function pointOfG1(point: readonly string[]): G1Point {
  const [x, y] = affine(point, ['1']);
  const result = G1.Point.fromAffine({ x: BigInt(x), y: BigInt(y) });
  result.assertValidity();
  return result;
}

/** Returns an affine point of the second group. Throws Error if it is not in the group. */
function pointOfG2(point: readonly (readonly string[])[]): InstanceType<typeof G2.Point> {
  const [x, y] = affine(point, [['1', '0']]);
  const element = ([c0, c1]: readonly string[]) => fields.Fp2.fromBigTuple([BigInt(c0!), BigInt(c1!)]);
  const result = G2.Point.fromAffine({ x: element(x), y: element(y) });
  result.assertValidity();
  return result;
}

/** Returns the first two coordinates, if the third one is 1. */
function affine<T>(point: readonly T[], one: readonly T[]): [T, T] {
  const [x, y, ...rest] = point;
  if (x === undefined || y === undefined || String(rest) !== String(one)) {
    throw new Error('A point is not affine.');
  }
  return [x, y];
}

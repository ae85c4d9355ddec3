/** Verifies proofs in JavaScript, on platforms without WebAssembly. */
import { bn254 } from '@noble/curves/bn254.js';
import { checkFieldElement } from '@service/protocol/eligibility/field';
import type { PointG1, PointG2 } from '@service/protocol/eligibility/proof/points';
import { decodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import { parseSnarkjsG1, parseSnarkjsG2 } from '@service/protocol/eligibility/proof/snarkjs-points';
import {
  packVerifyingKey,
  type SnarkjsVerifyingKey,
} from '@service/protocol/eligibility/proof/verifying-key';

const { G1, G2, fields } = bn254;

/**
 * Returns whether a proof of 256 bytes verifies for a context hash (SPEC.md section 1): e(-A, B) e(alpha, beta)
 * e(signal, gamma) e(C, delta) = 1. It returns the same as the verifier in WebAssembly, in about ten times its time.
 *
 * @param vkey the verifying key, snarkjs's JSON, as bytes
 * @throws EligibilityError if the proof, the context hash or the key is malformed
 */
export async function verifyProof(
  proof: Uint8Array,
  contextHash: bigint,
  vkey: Uint8Array,
): Promise<boolean> {
  const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
  // Checks the form of the key, so that each point below can be read.
  packVerifyingKey(key);
  checkFieldElement(contextHash, 'The context hash');
  const { pi_a, pi_b, pi_c } = decodeProof(proof);
  const [constant, factor] = [g1(key.IC[0]), g1(key.IC[1])];
  // The library does not multiply by zero.
  const signal = contextHash === 0n ? constant : factor.multiplyUnsafe(contextHash).add(constant);
  if (signal.is0()) return false;
  const pairs = [
    { g1: g1(pi_a).negate(), g2: g2(pi_b) },
    { g1: g1(key.vk_alpha_1), g2: g2(key.vk_beta_2) },
    { g1: signal, g2: g2(key.vk_gamma_2) },
    { g1: g1(pi_c), g2: g2(key.vk_delta_2) },
  ];
  // G1 is its whole curve, but G2 is not.
  if (!pairs.every((pair) => pair.g2.isTorsionFree())) return false;
  const product = bn254.pairingBatch(pairs);
  return fields.Fp12.eql(product, fields.Fp12.ONE);
}

/** Reads a point of the curve of G1 that was checked before. */
function g1(point: unknown) {
  const { x, y } = parseSnarkjsG1(point) as PointG1;
  return G1.Point.fromAffine({ x, y });
}

/** Reads a point of the curve of G2 that was checked before. */
function g2(point: unknown) {
  const { x, y } = parseSnarkjsG2(point) as PointG2;
  return G2.Point.fromAffine({ x, y });
}

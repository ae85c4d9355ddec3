/** Verifies eligibility proofs (Groth16) off chain, with the key of the on-chain circuit. */
import { decodeProof, EligibilityError, unpackVerifyingKey } from '@service/protocol/eligibility';
import { buildCurve, type Curve } from './snarkjs-curve.ts';

/** The claim that a proof is valid for a public signal under a key. */
export interface ProofClaim {
  /** The packed key of a Circuit account, 576 bytes. */
  readonly verifyingKey: Uint8Array;
  /** The context hash. */
  readonly publicSignal: bigint;
  /** 256 bytes, as on chain. */
  readonly proof: Uint8Array;
}

/** Verifies proofs. A service has one. */
export interface ProofVerifier {
  /** Returns whether the claim is true; false also for a malformed proof or key. */
  verify(claim: ProofClaim): Promise<boolean>;
}

/**
 * Creates a verifier. It builds its curve once, for the first proof, because two first builds at once hang. The curve has
 * no worker threads, so it does not keep the process alive. It is not the curve that snarkjs shares through a global.
 */
export function createProofVerifier(): ProofVerifier {
  let curve: Promise<Curve> | undefined;
  return {
    async verify(claim) {
      curve ??= buildCurve();
      const points = readPoints(await curve, claim);
      return points !== null && pairs(await curve, points);
    },
  };
}

/** Checks the equation of snarkjs's groth16.verify: e(-A, B) e(IC0 + s IC1, gamma) e(C, delta) e(alpha, beta) = 1. */
async function pairs(curve: Curve, { key, proof, signal }: NonNullable<ReturnType<typeof readPoints>>) {
  const { G1, G2 } = curve;
  if (signal < 0n || signal >= curve.r) return false;
  if (!G1.isValid(proof.a) || !G2.isValid(proof.b) || !G1.isValid(proof.c)) return false;
  const input = G1.add(G1.timesScalar(key.ic1, signal), key.ic0);
  return curve.pairingEq(
    ...[G1.neg(proof.a), proof.b],
    ...[input, key.gamma],
    ...[proof.c, key.delta],
    ...[key.alpha, key.beta],
  );
}

function readPoints({ G1, G2 }: Curve, claim: ProofClaim) {
  const g1 = (point: readonly string[] | undefined) => G1.fromObject((point ?? []).map(BigInt));
  const g2 = (point: readonly (readonly string[])[]) => G2.fromObject(point.map((pair) => pair.map(BigInt)));
  try {
    const key = unpackVerifyingKey(claim.verifyingKey);
    const proof = decodeProof(claim.proof);
    return {
      key: {
        alpha: g1(key.vk_alpha_1),
        beta: g2(key.vk_beta_2),
        gamma: g2(key.vk_gamma_2),
        delta: g2(key.vk_delta_2),
        ic0: g1(key.IC[0]),
        ic1: g1(key.IC[1]),
      },
      proof: { a: g1(proof.pi_a), b: g2(proof.pi_b), c: g1(proof.pi_c) },
      signal: claim.publicSignal,
    };
  } catch (error) {
    if (error instanceof EligibilityError) return null;
    throw error;
  }
}

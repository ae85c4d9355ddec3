import { EligibilityError } from '../errors.ts';
import {
  g1ToBytes,
  g2ToBytes,
  isOnG1,
  isOnG2,
  negateG1,
  type PointG1,
  type PointG2,
  readCoordinates,
} from './points.ts';
import { parseSnarkjsG1, parseSnarkjsG2, toSnarkjsG1, toSnarkjsG2 } from './snarkjs-points.ts';

/** Size of a proof in bytes, in requests and on chain. */
const PROOF_BYTES = 256;

/** A Groth16 proof as snarkjs writes it: projective points, coordinates as decimal strings. */
export interface SnarkjsProof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: string;
  curve: string;
}

/**
 * Returns the 256 bytes of a proof: `-A (x, q - y) | B (x.c1, x.c0, y.c1, y.c0) | C (x, y)`, big-endian. A is negated because
 * the on-chain check multiplies all pairings to one.
 *
 * @throws EligibilityError PROOF_MALFORMED when a point is out of range, infinite or not on its curve.
 */
export function encodeProof(proof: SnarkjsProof): Uint8Array {
  if (proof.protocol !== 'groth16' || proof.curve !== 'bn128') throw malformed('it is not Groth16 on bn128');
  const a = parseSnarkjsG1(proof.pi_a);
  const b = parseSnarkjsG2(proof.pi_b);
  const c = parseSnarkjsG1(proof.pi_c);
  if (!a || !b || !c) throw malformed('a point is out of range or not on the curve');
  const bytes = new Uint8Array(PROOF_BYTES);
  bytes.set(g1ToBytes(negateG1(a)), 0);
  bytes.set(g2ToBytes(b), 64);
  bytes.set(g1ToBytes(c), 192);
  return bytes;
}

/**
 * Returns the proof in 256 bytes in the form that snarkjs verifies. It reads coordinates strictly, so a proof has only
 * one encoding.
 *
 * @throws EligibilityError PROOF_MALFORMED when the length is wrong, or a point is out of range or not on its curve.
 */
export function decodeProof(bytes: Uint8Array): SnarkjsProof {
  if (bytes.length !== PROOF_BYTES) {
    throw malformed(`it is ${bytes.length} bytes and must be ${PROOF_BYTES}`);
  }
  const coordinates = readCoordinates(bytes);
  if (!coordinates) throw malformed('a coordinate is out of range');
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = coordinates as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const a: PointG1 = negateG1({ x: ax, y: ay });
  const b: PointG2 = { x: { c0: bx0, c1: bx1 }, y: { c0: by0, c1: by1 } };
  const c: PointG1 = { x: cx, y: cy };
  if (!isOnG1(a) || !isOnG2(b) || !isOnG1(c)) throw malformed('a point is not on the curve');
  return {
    pi_a: toSnarkjsG1(a),
    pi_b: toSnarkjsG2(b),
    pi_c: toSnarkjsG1(c),
    protocol: 'groth16',
    curve: 'bn128',
  };
}

function malformed(reason: string): EligibilityError {
  return new EligibilityError('PROOF_MALFORMED', `The proof cannot be used: ${reason}.`);
}

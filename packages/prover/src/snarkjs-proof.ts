import { readNumber } from './key/zkey.ts';
import { PROOF_BYTES, SCALAR_BYTES } from './wasm-exports.ts';

/** A Groth16 proof as snarkjs writes it: projective points, coordinates as decimal strings. */
export interface SnarkjsProof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: string;
  curve: string;
}

/** Converts the 256 bytes of the module to a proof. */
export function toSnarkjsProof(bytes: Uint8Array): SnarkjsProof {
  const [ax, ay, bx0, bx1, by0, by1, cx, cy] = Array.from(
    { length: PROOF_BYTES / SCALAR_BYTES },
    (_, index) => readNumber(bytes, index * SCALAR_BYTES).toString(),
  ) as [string, string, string, string, string, string, string, string];
  return {
    pi_a: [ax, ay, '1'],
    pi_b: [
      [bx0, bx1],
      [by0, by1],
      ['1', '0'],
    ],
    pi_c: [cx, cy, '1'],
    protocol: 'groth16',
    curve: 'bn128',
  };
}

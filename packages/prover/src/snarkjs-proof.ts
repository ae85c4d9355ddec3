import { readNumber } from '@service/circuit/zkey';
import type { SnarkjsProof } from '@service/protocol/eligibility/proof/proof-bytes';
import { toSnarkjsG1, toSnarkjsG2 } from '@service/protocol/eligibility/proof/snarkjs-points';
import { SCALAR_BYTES } from './wasm-exports.ts';

/** Converts the 256 bytes of the module to a proof. */
export function toSnarkjsProof(bytes: Uint8Array): SnarkjsProof {
  const coordinate = (index: number) => readNumber(bytes, index * SCALAR_BYTES);
  const extension = (index: number) => ({ c0: coordinate(index), c1: coordinate(index + 1) });
  return {
    pi_a: toSnarkjsG1({ x: coordinate(0), y: coordinate(1) }),
    pi_b: toSnarkjsG2({ x: extension(2), y: extension(4) }),
    pi_c: toSnarkjsG1({ x: coordinate(6), y: coordinate(7) }),
    protocol: 'groth16',
    curve: 'bn128',
  };
}

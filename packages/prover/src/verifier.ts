import { ProverError } from './prover-error.ts';
import { instantiate, PROOF_BYTES, run, SCALAR_BYTES, writeInput } from './wasm-exports.ts';

/** What is verified, in the bytes that the chain reads (SPEC.md section 1). */
export interface ProofStatement {
  /** The packed verifying key, 576 bytes. */
  readonly key: Uint8Array;
  /** The public signal, 32 bytes, big-endian. */
  readonly signal: Uint8Array;
  /** The proof, 256 bytes. */
  readonly proof: Uint8Array;
}

/** The bytes of a packed verifying key, a signal and a proof. */
const PART_BYTES = [18 * SCALAR_BYTES, SCALAR_BYTES, PROOF_BYTES];

/** The values that `verify` returns. */
const VERIFIED: readonly (boolean | undefined)[] = [false, true];

/**
 * Returns whether a Groth16 proof verifies. Each call has its own memory, so data of a prover cannot change the answer.
 *
 * @throws ProverError ARTIFACTS_INVALID if the module is not that of `proverModule`, a part has another length, a number
 *   is not reduced, or a point is infinite or not in its group; PROVER_FAILED if the module stopped, or there is too
 *   little memory
 */
export async function verifyProof(
  module: WebAssembly.Module,
  { key, signal, proof }: ProofStatement,
): Promise<boolean> {
  // The caller could change its arrays before the module is ready, after their lengths were checked.
  const parts = [key, signal, proof].map((part) => Uint8Array.from(part));
  // The module gets the parts joined, so it cannot check the length of each.
  if (!parts.every((part, index) => part.length === PART_BYTES[index])) throw malformed();
  const exports = await instantiate(module);
  const verified = run(() => {
    writeInput(exports, parts);
    return VERIFIED[exports.verify()];
  });
  if (verified !== undefined) return verified;
  throw malformed();
}

function malformed(): ProverError {
  return new ProverError(
    'ARTIFACTS_INVALID',
    'The verifying key, the signal or the proof is malformed. Check all three.',
  );
}

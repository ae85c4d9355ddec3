import { fieldToBytes } from '@service/protocol/eligibility/field';
import { packVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';
import { proverModule, verifyProof as verifyStatement } from '@service/prover';

/**
 * Returns whether a proof of 256 bytes verifies for a context hash (SPEC.md section 1).
 *
 * @param vkey the verifying key, snarkjs's JSON, as bytes
 * @throws EligibilityError or ProverError if a point is not in its group, or the key cannot be read
 */
export async function verifyProof(
  proof: Uint8Array,
  contextHash: bigint,
  vkey: Uint8Array,
): Promise<boolean> {
  const key = packVerifyingKey(JSON.parse(new TextDecoder().decode(vkey)));
  return verifyStatement(await proverModule(), { key, signal: fieldToBytes(contextHash), proof });
}

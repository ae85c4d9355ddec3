/** Checks whether a credential is on its way, and which credential a witness belongs to. */
import type { Credential, Verification, Witness } from '@service/contract';
import { loadProver } from './load-prover.ts';
import { attributesOf } from './witness.ts';

/**
 * Returns whether the commitment of a credential is that of a witness. Loads the prover's chunk, which contains Poseidon.
 *
 * @throws ServiceError WITNESS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED
 */
export async function isCredentialOf(
  witness: Witness,
  credential: Pick<Credential, 'commitment'> | null,
  signal?: AbortSignal,
): Promise<boolean> {
  if (!credential) return false;
  const { isCommitmentOf } = await loadProver(signal);
  return isCommitmentOf(attributesOf(witness), BigInt(`0x${credential.commitment}`));
}

/** Returns whether a verification can still lead to a credential. */
export function isCredentialUnderWay(verification: Verification | undefined): boolean {
  return verification?.state === 'STARTED' || verification?.state === 'ISSUING';
}

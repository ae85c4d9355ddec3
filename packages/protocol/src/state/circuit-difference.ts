import { sha256Hex } from '../eligibility/sha256.ts';
import { hexOf } from '../hex.ts';
import type { AccountOf } from './read.ts';

/** The proof artifacts that a Circuit account must have. */
export interface PinnedArtifacts {
  /** Digest of the manifest: 64 lowercase hex digits. */
  readonly digest: string;
  /** SHA-256 of the packed verifying key, `files.key.sha256` of the manifest: 64 lowercase hex digits. */
  readonly keyHash: string;
}

/**
 * Returns what a Circuit account does not have of the pinned artifacts: the account itself, their digest or their
 * verifying key; null if it has all. The program never compares the digest with the key, and verifies proofs only under
 * the key. So a digest that is right says nothing about the key.
 */
export async function circuitDifference(
  circuit: Pick<AccountOf<'circuit'>, 'artifactsDigest' | 'verifyingKey'> | null | undefined,
  { digest, keyHash }: PinnedArtifacts,
): Promise<'account' | 'digest' | 'key' | null> {
  if (!circuit) return 'account';
  if (hexOf(circuit.artifactsDigest) !== digest) return 'digest';
  return (await sha256Hex(Uint8Array.from(circuit.verifyingKey))) === keyHash ? null : 'key';
}

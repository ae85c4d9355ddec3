/** Which statements of verifiers on a wallet can still land, by the credential on chain. */
import { type Address, getAddressEncoder } from '@solana/kit';
import type { Credential } from '../generated/accounts/credential';

/**
 * Returns the Unix seconds up to which nothing that a verifier signed for the wallet of a credential can land. `verifier`
 * is the address of its account. The program keeps the times of verifiers apart, so that none can block another one.
 */
export function voidUntil(credential: Credential, verifier: Address): bigint {
  const { issuedAt, otherVerifier, otherVoidUntil } = credential;
  const forAll = credential.voidUntil === 0 ? issuedAt : BigInt(credential.voidUntil);
  const name = getAddressEncoder().encode(verifier);
  const isOther = otherVerifier.every((byte, index) => byte === name[index]);
  const own = credential.verifier === verifier ? issuedAt : isOther ? BigInt(otherVoidUntil) : 0n;
  return own > forAll ? own : forAll;
}

/** Reads what a verifier claims in its webhook messages (docs/verifiers.md), for tests of code that acts as the verifier. */
export { readCredentialClaim } from './webhook/credential-claim.ts';
export { readRevocationClaim } from './webhook/revocation-claim.ts';

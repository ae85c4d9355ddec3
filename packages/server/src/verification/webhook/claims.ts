/** Checks what a verifier claims in its webhook messages (docs/verifiers.md), before it is stored. */
import type { WebhookRequest } from '@service/contract';
import {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  type CredentialStatement,
  credentialMessage,
  MAX_CREDENTIAL_AGE_SECONDS,
  MAX_CREDENTIAL_DELAY_SECONDS,
  type RevocationStatement,
  revocationMessage,
} from '@service/protocol';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { type Address, getBase16Encoder, getBase64Encoder } from '@solana/kit';
import { isSignedBy } from '../../auth/wallet-signature.ts';
import { invalidRequest } from '../../http/failures/fault.ts';

/** A statement of a verifier, and its signature. */
export interface Claim<Statement> {
  readonly statement: Statement;
  /** 64 bytes of ed25519. */
  readonly signature: Uint8Array;
  /** The verifier authority that signed it. */
  readonly verifierAuthority: Address;
}

/** The data that a claim is checked against. */
export interface ClaimFacts {
  readonly program: Address;
  readonly genesisHash: string;
  /** The verifier authorities whose signature counts. */
  readonly authorities: readonly Address[];
  /** Unix seconds. */
  readonly chainTime: bigint;
}

type DataOf<Type> = Extract<WebhookRequest, { type: Type }>['data'];

/**
 * Reads and checks the claim of a `verification.completed` message: it is complete, within the program's limits, and signed.
 *
 * @throws ServiceFault INVALID_REQUEST, with the reason
 */
export function readCredentialClaim(
  data: DataOf<'verification.completed'>,
  facts: ClaimFacts,
): Claim<CredentialStatement> {
  const { commitment, issuedAt, expiresAt, wallet } = data;
  const { program, genesisHash, chainTime } = facts;
  if (BigInt(`0x${commitment}`) === 0n || BigInt(`0x${commitment}`) >= FIELD_ORDER) {
    throw invalidRequest('data.commitment must be a field element other than zero.');
  }
  if (issuedAt > chainTime + CREDENTIAL_CLOCK_SKEW_SECONDS) {
    throw invalidRequest('data.issuedAt is in the future.');
  }
  if (issuedAt < chainTime - MAX_CREDENTIAL_DELAY_SECONDS) {
    throw invalidRequest(
      `data.issuedAt is more than ${MAX_CREDENTIAL_DELAY_SECONDS} seconds ago. Sign the credential again.`,
    );
  }
  if (expiresAt <= chainTime || expiresAt <= issuedAt)
    throw invalidRequest('data.expiresAt is in the past, or not later than data.issuedAt.');
  if (expiresAt - issuedAt > MAX_CREDENTIAL_AGE_SECONDS) {
    throw invalidRequest(`a credential may be valid for at most ${MAX_CREDENTIAL_AGE_SECONDS} seconds.`);
  }
  const bytes = new Uint8Array(getBase16Encoder().encode(commitment));
  const statement = { program, genesisHash, wallet, commitment: bytes, issuedAt, expiresAt };
  const signed = signedBy(facts, credentialMessage(statement), data.signature);
  if (!signed)
    throw invalidRequest('data.signature is not the signature of an active verifier over this credential.');
  return { statement, ...signed };
}

/**
 * Reads and checks the claim of a `credential.revoked` message.
 *
 * @throws ServiceFault INVALID_REQUEST, with the reason
 */
export function readRevocationClaim(
  { wallet, revokedAt, signature }: DataOf<'credential.revoked'>,
  facts: ClaimFacts,
): Claim<RevocationStatement> {
  const { program, genesisHash, chainTime } = facts;
  if (revokedAt > chainTime + CREDENTIAL_CLOCK_SKEW_SECONDS) {
    throw invalidRequest('data.revokedAt is in the future. Check your clock.');
  }
  const statement = { program, genesisHash, wallet, revokedAt };
  const signed = signedBy(facts, revocationMessage(statement), signature);
  if (!signed) {
    throw invalidRequest(
      'data.signature is not the signature of the credential’s verifier over this revocation.',
    );
  }
  return { statement, ...signed };
}

/** Returns the signature, and the authority that signed the message with it; null if none did. */
function signedBy({ authorities }: ClaimFacts, message: Uint8Array, base64: string) {
  const signature = new Uint8Array(getBase64Encoder().encode(base64));
  const verifierAuthority = authorities.find((authority) => isSignedBy(authority, message, signature));
  return verifierAuthority ? { signature, verifierAuthority } : null;
}

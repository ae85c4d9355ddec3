/** Checks that the credential in a webhook message is complete, within the program's limits, and signed by an active verifier. */
import type { WebhookRequest } from '@service/contract';
import {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  type CredentialStatement,
  credentialMessage,
  MAX_CREDENTIAL_AGE_SECONDS,
  MAX_CREDENTIAL_DELAY_SECONDS,
} from '@service/protocol';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { type Address, getBase16Encoder, getBase64Encoder } from '@solana/kit';
import { isSignedBy } from '../../auth/wallet-signature.ts';
import { ServiceFault } from '../../http/failures/fault.ts';

/** A credential statement and its signature. */
export interface CredentialClaim {
  readonly statement: CredentialStatement;
  /** 64 bytes of ed25519. */
  readonly signature: Uint8Array;
  /** The active verifier authority that signed it. */
  readonly verifierAuthority: Address;
}

/** The data of a `verification.completed` message. */
export type CompletedData = Extract<WebhookRequest, { type: 'verification.completed' }>['data'];

/** The data that a claim is checked against. */
export interface ClaimFacts {
  readonly program: Address;
  readonly genesisHash: string;
  /** Authorities of the verifiers that are active on chain. */
  readonly activeAuthorities: readonly Address[];
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/**
 * Reads and checks the claim of a `verification.completed` message. Rejects, before it is stored, a claim that the program
 * would reject.
 *
 * @throws ServiceFault INVALID_REQUEST, with the reason
 */
export function readCredentialClaim(data: CompletedData, facts: ClaimFacts): CredentialClaim {
  const { commitment, issuedAt, expiresAt, signature } = data;
  if (BigInt(`0x${commitment}`) === 0n || BigInt(`0x${commitment}`) >= FIELD_ORDER) {
    throw invalid('data.commitment must be a field element other than zero');
  }
  if (issuedAt > facts.chainTime + CREDENTIAL_CLOCK_SKEW_SECONDS) {
    throw invalid('data.issuedAt is in the future');
  }
  if (issuedAt < facts.chainTime - MAX_CREDENTIAL_DELAY_SECONDS) {
    throw invalid(
      `data.issuedAt is more than ${MAX_CREDENTIAL_DELAY_SECONDS} seconds ago. Sign the credential again`,
    );
  }
  if (expiresAt <= facts.chainTime || expiresAt <= issuedAt)
    throw invalid('data.expiresAt is in the past, or not later than data.issuedAt');
  if (expiresAt - issuedAt > MAX_CREDENTIAL_AGE_SECONDS) {
    throw invalid(`a credential may be valid for at most ${MAX_CREDENTIAL_AGE_SECONDS} seconds`);
  }
  const statement = {
    program: facts.program,
    genesisHash: facts.genesisHash,
    wallet: data.wallet,
    commitment: new Uint8Array(getBase16Encoder().encode(commitment)),
    issuedAt,
    expiresAt,
  };
  const message = credentialMessage(statement);
  const bytes = new Uint8Array(getBase64Encoder().encode(signature));
  const verifierAuthority = facts.activeAuthorities.find((authority) =>
    isSignedBy(authority, message, bytes),
  );
  if (!verifierAuthority) {
    throw invalid('data.signature is not the signature of an active verifier over this credential');
  }
  return { statement, signature: bytes, verifierAuthority };
}

function invalid(reason: string): ServiceFault {
  return new ServiceFault('INVALID_REQUEST', `${reason}.`);
}

/** Checks that its verifier signed the revocation in a webhook message, and that the program will accept it. */
import {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  type RevocationStatement,
  revocationMessage,
} from '@service/protocol';
import { type Address, getBase64Encoder } from '@solana/kit';
import { isSignedBy } from '../../auth/wallet-signature.ts';
import { ServiceFault } from '../../http/failures/fault.ts';

/** A revocation statement and its signature. */
export interface RevocationClaim {
  readonly statement: RevocationStatement;
  /** 64 bytes of ed25519. */
  readonly signature: Uint8Array;
  /** The verifier authority that signed it. */
  readonly verifierAuthority: Address;
}

/** The data that a claim is checked against. */
export interface RevocationFacts {
  readonly program: Address;
  readonly genesisHash: string;
  /** The allowed signers: the authority of the session's credential or, if it has none yet, that of any verifier. */
  readonly authorities: readonly Address[];
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/**
 * Reads and checks the claim of a `credential.revoked` message. An inactive verifier can still revoke.
 *
 * @throws ServiceFault INVALID_REQUEST, with the reason
 */
export function readRevocationClaim(
  data: { readonly wallet: Address; readonly revokedAt: bigint; readonly signature: string },
  { program, genesisHash, authorities, chainTime }: RevocationFacts,
): RevocationClaim {
  if (data.revokedAt > chainTime + CREDENTIAL_CLOCK_SKEW_SECONDS) {
    throw new ServiceFault('INVALID_REQUEST', 'data.revokedAt is in the future. Check your clock.');
  }
  const statement = { program, genesisHash, wallet: data.wallet, revokedAt: data.revokedAt };
  const message = revocationMessage(statement);
  const signature = new Uint8Array(getBase64Encoder().encode(data.signature));
  const verifierAuthority = authorities.find((authority) => isSignedBy(authority, message, signature));
  if (!verifierAuthority) {
    throw new ServiceFault(
      'INVALID_REQUEST',
      'data.signature is not the signature of the credential’s verifier over this revocation.',
    );
  }
  return { statement, signature, verifierAuthority };
}

/** The bytes that a verifier signs to issue a credential, and to revoke it. */
import {
  type Address,
  fixEncoderSize,
  getAddressEncoder,
  getBase58Encoder,
  getBytesEncoder,
  getStructEncoder,
  getU64Encoder,
  getUtf8Encoder,
} from '@solana/kit';

/** The statement of a credential. Times are in Unix seconds; the commitment has 32 bytes, big-endian. */
export interface CredentialStatement {
  readonly program: Address;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
  readonly wallet: Address;
  readonly commitment: Uint8Array;
  readonly issuedAt: bigint;
  readonly expiresAt: bigint;
}

/** The statement of a revocation: it revokes everything that was signed for the wallet up to a time. */
export interface RevocationStatement {
  readonly program: Address;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
  readonly wallet: Address;
  /** Unix seconds. */
  readonly revokedAt: bigint;
}

const CREDENTIAL_DOMAIN = 'service:v1:credential';
const REVOCATION_DOMAIN = 'service:v1:revocation';

const credentialEncoder = getStructEncoder([
  ['domain', getUtf8Encoder()],
  ['program', getAddressEncoder()],
  ['genesisHash', fixEncoderSize(getBytesEncoder(), 32)],
  ['wallet', getAddressEncoder()],
  ['commitment', fixEncoderSize(getBytesEncoder(), 32)],
  ['issuedAt', getU64Encoder()],
  ['expiresAt', getU64Encoder()],
]);

const revocationEncoder = getStructEncoder([
  ['domain', getUtf8Encoder()],
  ['program', getAddressEncoder()],
  ['genesisHash', fixEncoderSize(getBytesEncoder(), 32)],
  ['wallet', getAddressEncoder()],
  ['revokedAt', getU64Encoder()],
]);

/** Returns the 165 bytes that the verifier authority signs: domain | program | genesis hash | wallet | commitment | issuedAt u64 LE | expiresAt u64 LE. */
export function credentialMessage(statement: CredentialStatement): Uint8Array {
  if (statement.commitment.length !== 32) throw new RangeError('commitment must be 32 bytes');
  return new Uint8Array(
    credentialEncoder.encode({
      ...statement,
      domain: CREDENTIAL_DOMAIN,
      genesisHash: genesisHashBytes(statement.genesisHash),
    }),
  );
}

/** Returns the 125 bytes that the verifier authority signs: domain | program | genesis hash | wallet | revokedAt u64 LE. */
export function revocationMessage(statement: RevocationStatement): Uint8Array {
  return new Uint8Array(
    revocationEncoder.encode({
      ...statement,
      domain: REVOCATION_DOMAIN,
      genesisHash: genesisHashBytes(statement.genesisHash),
    }),
  );
}

/** Returns the 32 bytes of a base58 genesis hash. Throws RangeError on another length. */
export function genesisHashBytes(genesisHash: string): Uint8Array {
  const bytes = getBase58Encoder().encode(genesisHash);
  if (bytes.length !== 32) throw new RangeError('genesis hash must be 32 bytes in base58');
  return new Uint8Array(bytes);
}

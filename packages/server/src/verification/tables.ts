/** Tables of verification. Times are Unix milliseconds of the service's clock unless a column says otherwise. */
import type { RevocationState, VerificationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { LeaseColumnsWithDefaults } from '../database/tables.ts';

export interface VerificationTables {
  verification_session: VerificationSessionTable;
  credential_revocation: CredentialRevocationTable;
  webhook_delivery: WebhookDeliveryTable;
}

/** Columns of a table whose rows each put one transaction on chain, under a lease. */
export interface ChainWorkColumns extends LeaseColumnsWithDefaults {
  /** The sent transaction, its signature and the block height after which it cannot land; null before sending. */
  sent_transaction: Uint8Array | null;
  sent_signature: Signature | null;
  sent_last_valid: bigint | null;
  /** How many attempts failed. */
  attempts: Generated<number>;
  /** Why the last attempt failed. */
  last_error: string | null;
}

/** A wallet's verification by the external verifier. */
export interface VerificationSessionTable extends ChainWorkColumns {
  id: string;
  wallet: Address;
  /** Begins as STARTED. Only `transition` changes it. Sessions in ISSUING are the queue of the issuer. */
  state: ColumnType<VerificationState, 'STARTED', never>;
  created_at: bigint;
  expires_at: bigint;
  /** Why the session failed, else null. */
  failure: string | null;
  /** The verifier authority that signed the statement; set from ISSUING on, like the next four columns. */
  verifier_authority: Address | null;
  commitment: Uint8Array | null;
  /** Unix seconds, of the statement. */
  issued_at: bigint | null;
  /** Unix seconds, of the statement. */
  credential_expires_at: bigint | null;
  signature: Uint8Array | null;
}

/** A row of `verification_session`. */
export type VerificationSession = Selectable<VerificationSessionTable>;

/** A revocation of everything that a verifier signed for a wallet up to a time. Only the latest per wallet and verifier. */
export interface CredentialRevocationTable extends ChainWorkColumns {
  id: string;
  wallet: Address;
  /** The verifier authority that signed it. */
  verifier_authority: Address;
  /** Begins as REVOKING, the queue of the issuer. Only `transition` changes it. */
  state: ColumnType<RevocationState, 'REVOKING' | undefined, never>;
  /** Unix seconds, of the statement. */
  revoked_at: bigint;
  signature: Uint8Array;
  /** Slot of the wallet's credential in the index at the last check. A later slot causes another check. */
  seen_slot: Generated<bigint>;
}

/** A row of `credential_revocation`. */
export type CredentialRevocation = Selectable<CredentialRevocationTable>;

/** An authentic message from the verifier that was processed. Its id is the same on every retry. */
export interface WebhookDeliveryTable {
  id: string;
  type: string;
  session_id: string;
  received_at: bigint;
  /** SHA-256 of its content, which detects another message with the same id. */
  digest: Uint8Array;
}

/** A session in state ISSUING. */
export type IssuingSession = VerificationSession & {
  readonly [C in
    | 'verifier_authority'
    | 'commitment'
    | 'issued_at'
    | 'credential_expires_at'
    | 'signature']: NonNullable<VerificationSession[C]>;
};

/** Tables of verification. Times in Unix milliseconds of the service's clock unless a column says otherwise. */
import type { RevocationState, VerificationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { LeaseColumns } from '../database/tables.ts';

export interface VerificationTables {
  verification_session: VerificationSessionTable;
  credential_revocation: CredentialRevocationTable;
  webhook_delivery: WebhookDeliveryTable;
}

/** Columns of a table whose rows are work for the chain: each under a lease, each landing one transaction. */
export interface ChainWorkColumns extends LeaseColumnsWithDefaults {
  /** The transaction that was sent, its signature and the block height after which it cannot land; null before. */
  sent_transaction: Uint8Array | null;
  sent_signature: Signature | null;
  sent_last_valid: bigint | null;
  /** Tries that came to nothing, one after another. */
  attempts: Generated<number>;
  /** What the last of them came to nothing by. */
  last_error: string | null;
}

/** A wallet's way through the external verifier. */
export interface VerificationSessionTable extends ChainWorkColumns {
  id: string;
  wallet: Address;
  /** Begins as STARTED; changes by `transition` alone. Sessions in ISSUING are the queue of the issuing job. */
  state: ColumnType<VerificationState, 'STARTED', never>;
  created_at: bigint;
  expires_at: bigint;
  /** Why it failed; null otherwise. */
  failure: string | null;
  /** The verifier authority whose signature the statement carries; from ISSUING on, like the next four. */
  verifier_authority: Address | null;
  commitment: Uint8Array | null;
  /** Unix seconds, of the statement. */
  issued_at: bigint | null;
  /** Unix seconds, of the statement. */
  credential_expires_at: bigint | null;
  signature: Uint8Array | null;
}

/** A row as it is read. */
export type VerificationSession = Selectable<VerificationSessionTable>;

/** What a verifier revoked: all that it signed for a wallet up to a time. One row per wallet and verifier, its latest. */
export interface CredentialRevocationTable extends ChainWorkColumns {
  id: string;
  wallet: Address;
  /** The verifier authority whose signature it is. */
  verifier_authority: Address;
  /** Begins as REVOKING, which are the queue of the issuing job; changes by `transition` alone. */
  state: ColumnType<RevocationState, 'REVOKING' | undefined, never>;
  /** Unix seconds, of the statement. */
  revoked_at: bigint;
  signature: Uint8Array;
  /** Slot of the wallet's credential in the index when this was last looked at; a later one makes it be looked at again. */
  seen_slot: Generated<bigint>;
}

/** A row as it is read. */
export type CredentialRevocation = Selectable<CredentialRevocationTable>;

/** An authentic message of the verifier that was acted on, by the id that it carries on every retry. */
export interface WebhookDeliveryTable {
  id: string;
  type: string;
  session_id: string;
  received_at: bigint;
  /** SHA-256 of what it said, so that another message under its id is told apart; null for the oldest. */
  digest: Uint8Array | null;
}

type LeaseColumnsWithDefaults = { [K in keyof LeaseColumns]: Generated<LeaseColumns[K]> };

/** A session in state ISSUING. */
export type IssuingSession = VerificationSession & {
  readonly [C in
    | 'verifier_authority'
    | 'commitment'
    | 'issued_at'
    | 'credential_expires_at'
    | 'signature']: NonNullable<VerificationSession[C]>;
};

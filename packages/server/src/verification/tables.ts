/** Tables of verification. Times in Unix milliseconds of the service's clock unless a column says otherwise. */
import type { Address, Signature } from '@solana/kit';
import type { Generated, Selectable } from 'kysely';
import type { LeaseColumns } from '../database/lease.ts';

export interface VerificationTables {
  verification_session: VerificationSessionTable;
  webhook_delivery: WebhookDeliveryTable;
}

/**
 * State of a verification session. STARTED: the person is at the verifier. ISSUING: a signed credential is here and goes
 * on chain; such sessions are the queue of the issuing job. ISSUED: it is finalized. FAILED: it never will be.
 */
export type VerificationState = keyof typeof VERIFICATION_TRANSITIONS;

/** Every transition of a verification session that there is; the database refuses any other. */
export const VERIFICATION_TRANSITIONS = {
  STARTED: ['ISSUING', 'FAILED'],
  ISSUING: ['ISSUED', 'FAILED'],
  ISSUED: [],
  FAILED: [],
} as const;

/** A wallet's way through the external verifier. */
export interface VerificationSessionTable extends LeaseColumnsWithDefaults {
  id: string;
  wallet: Address;
  state: VerificationState;
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
  /** The transaction that was sent, its signature and the block height after which it cannot land; null before. */
  sent_transaction: Uint8Array | null;
  sent_signature: Signature | null;
  sent_last_valid: bigint | null;
  /** Tries that came to nothing, one after another. */
  attempts: Generated<number>;
  /** What the last of them came to nothing by. */
  last_error: string | null;
}

/** A row as it is read. */
export type VerificationSession = Selectable<VerificationSessionTable>;

/** An authentic message of the verifier that was acted on, by the id that it carries on every retry. */
export interface WebhookDeliveryTable {
  id: string;
  type: string;
  session_id: string;
  received_at: bigint;
}

type LeaseColumnsWithDefaults = { [K in keyof LeaseColumns]: Generated<LeaseColumns[K]> };

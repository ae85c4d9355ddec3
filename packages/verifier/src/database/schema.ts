/** The tables of the database. Times are Unix milliseconds, except those of a statement, which are Unix seconds. */
import type { WebhookRequest } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ColumnType, Selectable } from 'kysely';
import type { Decision } from '../provider.ts';

/** All tables of the database. */
export interface Schema {
  deployment: DeploymentTable;
  person_check: CheckTable;
  session: SessionTable;
  signed_time: SignedTimeTable;
  credential: CredentialTable;
  message: MessageTable;
  audit: AuditTable;
}

type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** What the database belongs to. There is no row before the first start. */
export interface DeploymentTable {
  /** Always 1. */
  id: number;
  program: Address;
  genesis_hash: string;
  /** The address of the attestation key. */
  authority: Address;
}

/** A check of one person at the provider. */
export interface CheckTable {
  /** The reference that the provider got: a random UUID. */
  id: string;
  provider: string;
  /** The id under which the provider knows the check. */
  provider_id: string;
  /** The provider's page for the person. */
  page_url: string;
  /** The digest of the cookie of the browser that began the check. */
  browser_hash: string;
  state: Decision['state'];
  /** Whether a credential was signed since the provider last approved. */
  is_signed: WithDefault<boolean>;
  /** Whether the person came back from the provider. A pending check is then in review. */
  is_submitted: WithDefault<boolean>;
  /** A keyed hash that recognizes the person, from the first credential on. */
  person_hash: WithDefault<string | null>;
  /** The provider's time of the decision. */
  decided_at: bigint;
  created_at: bigint;
  /** When the decision is read next; null if it is not read any more. */
  due_at: bigint | null;
}
/** A row of a check. */
export type Check = Selectable<CheckTable>;

/** A session that a service opened. */
export interface SessionTable {
  /** The id that the service gave it. */
  id: string;
  token_hash: string;
  /** The digest of the token of the page on the phone, which can only begin the check. */
  phone_token_hash: string;
  wallet: Address;
  return_url: string;
  site_origin: string;
  webhook_url: string;
  expires_at: bigint;
  created_at: bigint;
  /**
   * - `OPEN`: the person can be verified.
   * - `SIGNING`: a request signs and reports the credential, until `signing_until` at the latest.
   * - `REPORTED`: the service has the credential.
   * - `FAILED`: the person gets no credential in this session.
   */
  state: 'OPEN' | 'SIGNING' | 'REPORTED' | 'FAILED';
  signing_until: WithDefault<bigint | null>;
  /** The digest of the cookie of the browser that agreed. Only this browser gets the witness. */
  browser_hash: WithDefault<string | null>;
  check_id: WithDefault<string | null>;
  is_pending_reported: WithDefault<boolean>;
}
/** A row of a session. */
export type Session = Selectable<SessionTable>;

/** The latest time that was signed for a wallet, in Unix seconds. */
export interface SignedTimeTable {
  wallet: Address;
  seconds: bigint;
}

/** A credential that was signed. Its witness is not stored. */
export interface CredentialTable {
  /** Hexadecimal. */
  commitment: string;
  wallet: Address;
  session_id: string;
  check_id: string;
  /** Unix seconds. */
  issued_at: bigint;
  expires_at: bigint;
  /** `SIGNED` may have reached the service, `ACCEPTED` did, and `REJECTED` did not. */
  state: 'SIGNED' | 'ACCEPTED' | 'REJECTED';
  /** When its revocation was recorded. */
  revoked_at: WithDefault<bigint | null>;
}

/** A message that the service must get. It is repeated until the service accepts it. */
export interface MessageTable {
  id: string;
  session_id: string;
  type: Exclude<WebhookRequest['type'], 'verification.completed'>;
  wallet: Address;
  created_at: bigint;
  /** When it is sent next; null after the service accepted it. */
  due_at: bigint | null;
  attempts: WithDefault<number>;
  /** Of a revocation that is signed: the time in Unix seconds, and base64. */
  revoked_at: WithDefault<bigint | null>;
  signature: WithDefault<string | null>;
}
/** A row of a message. */
export type Message = Selectable<MessageTable>;

/** An entry of the audit trail. */
export interface AuditTable {
  number: bigint;
  /** JSON. */
  entry: string;
  /** SHA-256 of the hash of the entry before and of this entry, in hexadecimal. */
  hash: string;
}

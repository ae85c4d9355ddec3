/** The tables of the database. Times are Unix milliseconds of the service's clock unless a column says otherwise. */
import type {
  EventType,
  OperationFailure,
  OperationKind,
  OperationState,
  RevocationState,
  VerificationState,
} from '@service/contract';
import type { AccountKind, GateListKind } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** All tables of the database. */
export interface Schema {
  deployment: DeploymentTable;
  challenge: ChallengeTable;
  session: SessionTable;
  operation: OperationTable;
  verification_session: VerificationSessionTable;
  credential_revocation: CredentialRevocationTable;
  webhook_delivery: WebhookDeliveryTable;
  welcome_payment: WelcomePaymentTable;
  indexed_account: IndexedAccountTable;
  index_position: IndexPositionTable;
  indexed_signature: IndexedSignatureTable;
  gated_holder: GatedHolderTable;
  gated_mint: GatedMintTable;
  keeper_payment: KeeperPaymentTable;
  event: EventTable;
}

/** Columns of a table whose rows are leased. An insert leaves them to their defaults. */
interface LeaseColumns {
  /** A new id for each lease, so that the owner of an expired lease differs from the new owner. */
  lease_owner: WithDefault<string | null>;
  lease_until: WithDefault<bigint | null>;
  /** When to process the row next. */
  due_at: WithDefault<bigint>;
}
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** The deployment that the database belongs to. There is no row before the first start. */
export interface DeploymentTable {
  /** Always 1. */
  id: number;
  program: Address;
  /** Base58. */
  genesis_hash: string;
}

/** An issued sign-in message. The first answer deletes it. */
export interface ChallengeTable {
  id: string;
  wallet: Address;
  message: string;
  expires_at: bigint;
}

/** A session. The table has only the hash of its token, so a reader of the table cannot use the session. */
export interface SessionTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  wallet: Address;
  created_at: bigint;
  expires_at: bigint;
  /** The origin of the page that signed in. Null means the main origin. */
  origin: WithDefault<string | null>;
}

/** An operation. */
export interface OperationTable extends LeaseColumns {
  /** The operation id: a UUID, in the memo of the transaction. */
  id: string;
  wallet: Address;
  idempotency_key: string;
  /** SHA-256 over route and body, in hex: the request that the idempotency key belongs to. */
  request_hash: string;
  kind: OperationKind;
  /** Begins as DRAFT. Only `transition` changes it. */
  state: ColumnType<OperationState, 'DRAFT', never>;
  /** CREATE_RULE_SET: the address of the rule set. */
  rule: Address | null;
  /** The prepared message, without signatures. */
  message: Uint8Array;
  /** The message that the wallet signed in place of the prepared one, with what it added. */
  adopted_message: ColumnType<Uint8Array | null, never, Uint8Array>;
  last_valid_block_height: bigint;
  /** The slot of the message's blockhash. The transaction cannot land in an earlier slot. */
  draft_slot: bigint;
  created_at: bigint;
  expires_at: bigint;
  signature: ColumnType<Signature | null, never, Signature>;
  /** When the signed bytes were saved. They consist of the message and `signature`, so they have no column. */
  signed_at: ColumnType<bigint | null, never, bigint>;
  /** When an RPC last returned the status of the signature. */
  answered_at: ColumnType<bigint | null, never, bigint>;
  /** When the RPC `absent_rpc` (0 is the first) first proved that the transaction can no longer land. */
  absent_since: ColumnType<bigint | null, never, bigint | null>;
  absent_rpc: ColumnType<number | null, never, number | null>;
  /** The slot that the transaction landed in, from a finalized status. */
  slot: ColumnType<bigint | null, never, bigint>;
  failure: ColumnType<OperationFailure | null, never, string>;
}

/** A row of `operation`. */
export type OperationRow = Selectable<OperationTable>;

/** Columns of a table whose rows each put one transaction on chain, under a lease. */
export interface ChainWorkColumns extends LeaseColumns {
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
  /** The name of the verifier that it was opened at. Null means the main one. */
  verifier: ColumnType<string | null, string | null | undefined, never>;
  /** When the verifier first reported that it reviews the person, else null. */
  pending_at: WithDefault<bigint | null>;
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

/** A welcome payment that a session may make, once for each wallet. It counts in the budget even if it never landed. */
export interface WelcomePaymentTable {
  wallet: Address;
  /** The one session whose transactions may pay. */
  session_id: string;
  lamports: bigint;
  reserved_at: bigint;
}

/** An authentic message from the verifier that was processed. Its id is the same on every retry. */
export interface WebhookDeliveryTable {
  /** The `webhook-id`. That of another verifier than the main one follows its name and a colon. */
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

/** An account of the program at a finalized slot. The other columns are derived from its data, for queries. */
export interface IndexedAccountTable {
  address: Address;
  kind: AccountKind | GateListKind;
  /** Creator of a rule set, holder of a credential or pass, issuer of a binding, authority of a verifier. */
  wallet: Address | null;
  /** Rule set of a pass, binding or list of a gate. */
  rule: Address | null;
  /** Mint of a binding or list of a gate. */
  mint: Address | null;
  /** Lamports of the pass fees that a rule set still holds for the treasury. */
  fees: bigint | null;
  /** Unix seconds at which a pass was issued. */
  issued_at: bigint | null;
  /** Unix seconds at which a credential or pass expires. */
  expires_at: bigint | null;
  /** Verifier of a credential or pass. */
  verifier: Address | null;
  /** Circuit of a pass. */
  circuit: Address | null;
  /** Commitment of a credential or pass. */
  commitment: Uint8Array | null;
  /** Whether a credential is revoked, a verifier inactive, or a circuit unsound. */
  is_void: boolean | null;
  data: Uint8Array;
  lamports: bigint;
  /** The finalized slot that it was read at. */
  slot: bigint;
}

/** The position of the index. There is no row before the first reading, and its slot is -1 during it. */
export interface IndexPositionTable {
  /** Always 1. */
  id: number;
  /** The finalized slot of the index. It contains every change listed up to this slot. */
  slot: bigint;
  /** Time of that slot in Unix seconds. */
  time: bigint;
  /** The newest slot that an account was read at. A later reading must not be older. */
  read_slot: bigint;
  /** The program's newest signature up to the settled slot, or null. Older signatures are not listed again. */
  signature: Signature | null;
  /** Every change up to this slot is in the index, unless a node lists it later. After it, see `indexed_signature`. */
  settled_slot: bigint;
  /** Chain time in Unix seconds of the last full reading. */
  reconciled_at: bigint;
  /** The next slice to read again, as a number of `SLICES`. */
  next_slice: Generated<number>;
  /** How many slices a full reading still has to read; 0 while there is none. The next three columns belong to it. */
  slices_left: Generated<number>;
  /** The position after the full reading: slot, time and signature. */
  target_slot: bigint | null;
  target_time: bigint | null;
  target_signature: Signature | null;
  /** The events of passes that governance ended are complete for those issued before this time, in Unix seconds, or null. */
  ended_until: bigint | null;
  /** The last address whose event is written, while steps write the events of later passes; empty at their start, else null. */
  ending_after: Address | null;
}

/** A signature of the program after the settled slot whose changes are in the index. */
export interface IndexedSignatureTable {
  signature: Signature;
  slot: bigint;
}

/**
 * A wallet that has or had a pass for the rule set of a gated mint. It stays when the pass is closed, because its token
 * accounts may still be thawed.
 */
export interface GatedHolderTable {
  mint: Address;
  wallet: Address;
  /** When the keeper may check it next. The keeper that moves it has the row until then. */
  due_at: Generated<bigint>;
  /** How many attempts did not end a check. */
  attempts: Generated<number>;
  /** Chain time in Unix seconds of the last check that found no thawed account, or null. */
  checked_time: Generated<bigint | null>;
  /** Slot of the gate in the index at that check. */
  checked_gate: Generated<bigint | null>;
  /** Slot of the pass in the index at that check; null if there was no pass. */
  checked_pass: Generated<bigint | null>;
}

/** The place of a gated mint in the queue of the keeper. A mint that was served, or is new, goes to the end. */
export interface GatedMintTable {
  mint: Address;
  place: Generated<bigint>;
}

/** What the service paid in a day to keep gated mints. */
export interface KeeperPaymentTable {
  /** Days since 1970 in UTC, of the service's clock. */
  day: bigint;
  purpose: 'FREEZE' | 'END_GRANT';
  lamports: bigint;
}

/** An event. A trigger of `operation` writes those of operations. */
export interface EventTable extends LeaseColumns {
  /** The database creates the id. */
  id: ColumnType<string, never, never>;
  /** The place in the order of commits. A trigger sets it at the commit, so no reader sees null. */
  position: ColumnType<bigint, never, never>;
  wallet: ColumnType<Address, Address, never>;
  type: ColumnType<EventType, EventType, never>;
  /** What the event is about. It is unique, so that one cause has one event. */
  cause: ColumnType<string, string, never>;
  /** The `data` of the wire, as its JSON. */
  data: ColumnType<unknown, string, never>;
  created_at: ColumnType<bigint, never, never>;
  /** When the receiver of webhooks accepted it. */
  delivered_at: ColumnType<bigint | null, never, bigint>;
  /** Deliveries that failed. */
  attempts: ColumnType<number, never, number>;
}

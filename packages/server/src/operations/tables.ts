/** The table of operations, which is also the worker's queue. Times are Unix milliseconds of the service's clock. */
import type { OperationFailure, OperationKind, OperationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { ColumnType, Selectable } from 'kysely';
import type { LeaseColumnsWithDefaults } from '../database/tables.ts';

/** The unique index that allows each wallet one signed operation without a final result (SPEC.md section 3, rule 1). */
export const ONE_PENDING_PER_WALLET = 'operation_one_pending_per_wallet';

export interface OperationTables {
  operation: OperationTable;
}

/** An operation. */
export interface OperationTable extends LeaseColumnsWithDefaults {
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

/** Returns the message that submitted bytes must equal (SPEC.md section 4, prepare rule 4). */
export function messageToSign({
  message,
  adopted_message: adopted,
}: Pick<OperationRow, 'message' | 'adopted_message'>): Uint8Array {
  return adopted ?? message;
}

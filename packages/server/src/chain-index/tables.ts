/** Tables of the chain index: one for all accounts of the program, one row for the position. */
import type { AccountKind } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';

export interface IndexTables {
  indexed_account: IndexedAccountTable;
  index_position: IndexPositionTable;
  indexed_signature: IndexedSignatureTable;
}

/** An account of the program, as it stood at a finalized slot. The data is the truth; the other columns are for looking up. */
export interface IndexedAccountTable {
  address: Address;
  kind: AccountKind;
  /** Creator of a rule set, holder of a credential or pass, issuer of a binding, authority of a verifier. */
  wallet: Address | null;
  /** Rule set of a pass or binding. */
  rule: Address | null;
  /** Mint of a binding. */
  mint: Address | null;
  /** Unix seconds at which a credential or pass expires. */
  expires_at: bigint | null;
  data: Uint8Array;
  lamports: bigint;
  /** The finalized slot as of which it was read. */
  slot: bigint;
}

/** How far the index has come; no row before the first reading. */
export interface IndexPositionTable {
  /** Always 1. */
  id: number;
  /** The finalized slot that the index has come to: all that was listed by then is in it. */
  slot: bigint;
  /** Time of that slot in Unix seconds. */
  time: bigint;
  /** The newest slot that an account was read as of; no later reading may be older. */
  read_slot: bigint;
  /** The newest of the program's signatures up to the settled slot, null while it has none: what is older is not listed again. */
  signature: Signature | null;
  /** Every change up to this slot is in the index, but for one that a node lists even later; after it, what is an `indexed_signature`. */
  settled_slot: bigint;
  /** Chain time in Unix seconds of the last full reading. */
  reconciled_at: bigint;
}

/** One of the program's signatures after the settled slot that is taken in. */
export interface IndexedSignatureTable {
  signature: Signature;
  slot: bigint;
}

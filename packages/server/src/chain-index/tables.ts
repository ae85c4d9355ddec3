/** Tables of the chain index: one for all accounts of the program, one row for the position. */
import type { AccountKind } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import type { Generated } from 'kysely';

export interface IndexTables {
  indexed_account: IndexedAccountTable;
  index_position: IndexPositionTable;
  indexed_signature: IndexedSignatureTable;
}

/** An account of the program at a finalized slot. The other columns are derived from its data, for queries. */
export interface IndexedAccountTable {
  address: Address;
  kind: AccountKind;
  /** Creator of a rule set, holder of a credential or pass, issuer of a binding, authority of a verifier. */
  wallet: Address | null;
  /** Rule set of a pass or binding. */
  rule: Address | null;
  /** Mint of a binding. */
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

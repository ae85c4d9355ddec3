import { createHash } from 'node:crypto';
import { type Blockhash, getBase58Decoder } from '@solana/kit';

/** The finality that a slot needs before a read returns it. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A blockhash is valid for this many slots after the slot that made it. */
const BLOCKHASH_LIFETIME_SLOTS = 150n;

/** Slots per epoch, as on mainnet; there are no warm-up epochs. */
export const SLOTS_PER_EPOCH = 432_000n;

/** Largest value of finalitySlots. Slot hashes are stored for these slots and for the 512 of the sysvar before them. */
export const MAX_FINALITY_SLOTS = 512;
const KEPT_HASHES = MAX_FINALITY_SLOTS + 512;

export interface SlotRules {
  /** The finalized slot of genesis. The first transaction lands in the next one. */
  genesisSlot: bigint;
  confirmSlots: number;
  finalitySlots: number;
  /** Wall clock in milliseconds. */
  now: () => number;
  /** Part of every blockhash, so that a transaction of another run is never valid in this one. */
  runNonce: Uint8Array;
  /** The slots of earlier runs, if the chain continues. All of them are final. */
  before?: EarlierSlots | undefined;
}

/** The slots of earlier runs of a chain. */
export interface EarlierSlots {
  /** No later slot was ever open. */
  last: bigint;
  /** Start of the slots that can still be read, in Unix seconds: genesis and slots with a transaction. */
  times: ReadonlyMap<bigint, number>;
  /** The latest known chain time, in Unix seconds. */
  time: number;
  /** Milliseconds by which chain time was ahead of the wall clock. */
  offsetMs: number;
}

interface BlockhashEntry {
  slot: bigint;
  /** The slots of messages that landed with this blockhash, by message hash. A message lands only once. */
  landed: Map<string, bigint>;
}

/** The slots of a chain: the open one, the start of each, and the blockhashes that are still valid. */
export class Slots {
  /** The open slot. A transaction that executes now lands in it. */
  open: bigint;
  readonly genesisSlot: bigint;
  /** The first slot of this run, final from the start. */
  readonly #root: bigint;
  readonly #rules: SlotRules;
  readonly #times: number[] = [];
  readonly #blockhashes = new Map<string, BlockhashEntry>();
  #hashes: { slot: bigint; hash: Uint8Array; blockhash: Blockhash }[] = [];
  #offsetMs = 0;

  constructor(rules: SlotRules) {
    this.#rules = rules;
    this.genesisSlot = rules.genesisSlot;
    const { before } = rules;
    // Blockhashes of earlier runs are lost, so start after the last height at which one of them was valid.
    this.#root = before ? before.last + BLOCKHASH_LIFETIME_SLOTS + 1n : rules.genesisSlot;
    if (before) this.#offsetMs = Math.max(before.offsetMs, this.offsetAt(before.time));
    this.open = this.#root - 1n;
    this.next();
    this.next();
  }

  /** Closes the open slot and opens the next. */
  next(): void {
    this.open += 1n;
    this.#times.push(this.now());
    const hash = this.#hashOf(this.open);
    const blockhash = asBlockhash(hash);
    this.#hashes.push({ slot: this.open, hash, blockhash });
    if (this.#hashes.length > 2 * KEPT_HASHES) this.#hashes = this.#hashes.slice(-KEPT_HASHES - 1);
    this.#blockhashes.set(blockhash, { slot: this.open, landed: new Map() });
    for (const [old, { slot }] of this.#blockhashes) {
      if (this.open - slot <= BLOCKHASH_LIFETIME_SLOTS) break;
      this.#blockhashes.delete(old);
    }
  }

  /** Returns the chain time in whole Unix seconds: the wall clock plus the offset of `setTime`. */
  now(): number {
    return Math.floor((this.#rules.now() + this.#offsetMs) / 1000);
  }

  /** Returns the offset from the wall clock that a chain time would have now, in milliseconds. */
  offsetAt(unixSeconds: number): number {
    return unixSeconds * 1000 - this.#rules.now();
  }

  /** Sets chain time, in Unix seconds, also for the open slot. */
  setTime(unixSeconds: number): void {
    this.#offsetMs = this.offsetAt(unixSeconds);
    this.#times[this.#times.length - 1] = unixSeconds;
  }

  /** Returns the start of a slot in Unix seconds. Returns null for an unknown slot and an empty slot of an earlier run. */
  timeOf(slot: bigint): number | null {
    return this.#times[Number(slot - this.#root)] ?? this.#rules.before?.times.get(slot) ?? null;
  }

  /** Returns the newest slot that has reached a commitment. */
  at(commitment: Commitment): bigint {
    const { confirmSlots, finalitySlots } = this.#rules;
    const behind = { processed: 0, confirmed: confirmSlots, finalized: finalitySlots }[commitment];
    const slot = this.open - BigInt(behind);
    return slot > this.#root ? slot : this.#root;
  }

  /** Returns the commitment that a slot has reached. */
  commitmentOf(slot: bigint): Commitment {
    if (slot <= this.at('finalized')) return 'finalized';
    return slot <= this.at('confirmed') ? 'confirmed' : 'processed';
  }

  /** Returns the block height of a slot. Slots are never skipped, but the two differ, as on a real cluster. */
  heightOf(slot: bigint): bigint {
    return slot - this.genesisSlot;
  }

  epochOf(slot: bigint): bigint {
    return slot / SLOTS_PER_EPOCH;
  }

  /** Returns the start of an epoch in Unix seconds, or the start of the chain for the epoch of genesis. */
  epochStart(epoch: bigint): number {
    return this.timeOf(epoch * SLOTS_PER_EPOCH) ?? this.timeOf(this.genesisSlot)!;
  }

  /** Returns the newest blockhash at a slot, and the last block height at which it is valid. */
  latestBlockhash(slot: bigint): { blockhash: Blockhash; lastValidBlockHeight: bigint } {
    const entry = this.#hashes[this.#hashes.length - 1 - Number(this.open - slot)];
    if (!entry) throw new Error(`The blockhash of slot ${slot} is not stored any more. Read a newer slot.`);
    return {
      blockhash: entry.blockhash,
      lastValidBlockHeight: this.heightOf(slot) + BLOCKHASH_LIFETIME_SLOTS,
    };
  }

  /** Returns the blockhash of a slot. Returns null for a slot of an earlier run and for one that has not opened. */
  blockhashOf(slot: bigint): Blockhash | null {
    return slot < this.#root || slot > this.open ? null : asBlockhash(this.#hashOf(slot));
  }

  /** Returns the slot before a slot. The genesis slot is its own parent, as on a real cluster. */
  parentOf(slot: bigint): bigint {
    if (slot !== this.#root) return slot - 1n;
    return this.#rules.before?.last ?? slot;
  }

  /** Returns whether a transaction with this blockhash can be processed in a slot. */
  isBlockhashValid(blockhash: string, slot: bigint = this.open): boolean {
    const entry = this.#blockhashes.get(blockhash);
    return entry !== undefined && entry.slot <= slot && slot - entry.slot <= BLOCKHASH_LIFETIME_SLOTS;
  }

  /** Returns whether a message had landed by the end of a slot. */
  hasLanded(blockhash: string, messageHash: string, slot: bigint = this.open): boolean {
    const landedIn = this.#blockhashes.get(blockhash)?.landed.get(messageHash);
    return landedIn !== undefined && landedIn <= slot;
  }

  /** Records that a message landed in the open slot. */
  markLanded(blockhash: string, messageHash: string): void {
    this.#blockhashes.get(blockhash)?.landed.set(messageHash, this.open);
  }

  /** Returns the blockhashes of the slots before this one, newest first, as a bank of that slot has them. */
  hashesBefore(slot: bigint, limit: number): { slot: bigint; hash: Uint8Array }[] {
    const end = this.#hashes.length - Number(this.open - slot) - 1;
    return this.#hashes.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
  }

  #hashOf(slot: bigint): Uint8Array {
    return createHash('sha256').update(this.#rules.runNonce).update(String(slot)).digest();
  }
}

function asBlockhash(hash: Uint8Array): Blockhash {
  return getBase58Decoder().decode(hash) as Blockhash;
}

import { createHash } from 'node:crypto';
import { type Blockhash, getBase58Decoder } from '@solana/kit';

/** How settled a slot must be for a read to show it. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A transaction may name a blockhash for this many slots after the slot that made it. */
const BLOCKHASH_LIFETIME_SLOTS = 150n;

/** Slots per epoch, as on mainnet; there are no warm-up epochs. */
export const SLOTS_PER_EPOCH = 432_000n;

/** The most slots that finality may lag; slot hashes are kept for these and the 512 of the sysvar before. */
export const MAX_FINALITY_SLOTS = 512;
const KEPT_HASHES = MAX_FINALITY_SLOTS + 512;

export interface SlotRules {
  /** The finalized slot that holds genesis; the first transaction lands in the next. */
  genesisSlot: bigint;
  confirmSlots: number;
  finalitySlots: number;
  /** Wall clock in milliseconds. */
  now: () => number;
  /** Mixed into every blockhash, so that a transaction of another run is never valid here. */
  runNonce: Uint8Array;
  /** What the runs before left, for a chain that goes on; all of it is final. */
  before?: EarlierSlots | undefined;
}

/** The slots of a chain's runs before this one. */
export interface EarlierSlots {
  /** No slot after this one was ever open. */
  last: bigint;
  /** When the slots that are still asked for began, in Unix seconds: genesis and those that hold a transaction. */
  times: ReadonlyMap<bigint, number>;
  /** The latest chain time that is known, in Unix seconds. */
  time: number;
  /** Milliseconds by which chain time was ahead of the wall clock. */
  offsetMs: number;
}

interface BlockhashEntry {
  slot: bigint;
  /** The messages that landed under this blockhash, by hash, each with its slot: a message lands once. */
  landed: Map<string, bigint>;
}

/** The chain's slots: which is open, when each began, and which blockhashes may still be named. */
export class Slots {
  /** The open slot: what executes now lands here. */
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
    // The blockhashes of the runs before are gone, so the height goes beyond the last at which one was promised to live.
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
    const hash = createHash('sha256')
      .update(this.#hashes.at(-1)?.hash ?? '')
      .update(this.#rules.runNonce)
      .update(String(this.open))
      .digest();
    const blockhash = getBase58Decoder().decode(hash) as Blockhash;
    this.#hashes.push({ slot: this.open, hash, blockhash });
    if (this.#hashes.length > 2 * KEPT_HASHES) this.#hashes = this.#hashes.slice(-KEPT_HASHES - 1);
    this.#blockhashes.set(blockhash, { slot: this.open, landed: new Map() });
    for (const [old, { slot }] of this.#blockhashes) {
      if (this.open - slot <= BLOCKHASH_LIFETIME_SLOTS) break;
      this.#blockhashes.delete(old);
    }
  }

  /** Chain time now, in whole Unix seconds: the wall clock plus what `setTime` asked for. */
  now(): number {
    return Math.floor((this.#rules.now() + this.#offsetMs) / 1000);
  }

  /** Milliseconds by which chain time would be ahead of the wall clock if it were this now. */
  offsetAt(unixSeconds: number): number {
    return unixSeconds * 1000 - this.#rules.now();
  }

  /** Moves chain time; the open slot's own time changes with it. */
  setTime(unixSeconds: number): void {
    this.#offsetMs = this.offsetAt(unixSeconds);
    this.#times[this.#times.length - 1] = unixSeconds;
  }

  /** When a slot began, in Unix seconds, or null for a slot that is not there, or held nothing in a run before. */
  timeOf(slot: bigint): number | null {
    return this.#times[Number(slot - this.#root)] ?? this.#rules.before?.times.get(slot) ?? null;
  }

  /** The newest slot that has reached a commitment. */
  at(commitment: Commitment): bigint {
    const { confirmSlots, finalitySlots } = this.#rules;
    const behind = { processed: 0, confirmed: confirmSlots, finalized: finalitySlots }[commitment];
    const slot = this.open - BigInt(behind);
    return slot > this.#root ? slot : this.#root;
  }

  /** What commitment a slot has reached. */
  commitmentOf(slot: bigint): Commitment {
    if (slot <= this.at('finalized')) return 'finalized';
    return slot <= this.at('confirmed') ? 'confirmed' : 'processed';
  }

  /** Block height: no slot is ever skipped, but height and slot start apart, as on a real cluster. */
  heightOf(slot: bigint): bigint {
    return slot - this.genesisSlot;
  }

  epochOf(slot: bigint): bigint {
    return slot / SLOTS_PER_EPOCH;
  }

  /** When an epoch began, in Unix seconds; for the epoch of genesis, when the chain began. */
  epochStart(epoch: bigint): number {
    return this.timeOf(epoch * SLOTS_PER_EPOCH) ?? this.timeOf(this.genesisSlot)!;
  }

  /** The newest blockhash as of a slot, with the last block height at which it may be named. */
  latestBlockhash(slot: bigint): { blockhash: Blockhash; lastValidBlockHeight: bigint } {
    const entry = this.#hashes[this.#hashes.length - 1 - Number(this.open - slot)];
    if (!entry) throw new Error(`No blockhash is kept for slot ${slot}`);
    return {
      blockhash: entry.blockhash,
      lastValidBlockHeight: this.heightOf(slot) + BLOCKHASH_LIFETIME_SLOTS,
    };
  }

  /** Whether a transaction naming this blockhash could be processed in that slot. */
  isBlockhashValid(blockhash: string, slot: bigint = this.open): boolean {
    const entry = this.#blockhashes.get(blockhash);
    return entry !== undefined && entry.slot <= slot && slot - entry.slot <= BLOCKHASH_LIFETIME_SLOTS;
  }

  /** Whether this message had landed by the end of a slot. */
  hasLanded(blockhash: string, messageHash: string, slot: bigint = this.open): boolean {
    const landedIn = this.#blockhashes.get(blockhash)?.landed.get(messageHash);
    return landedIn !== undefined && landedIn <= slot;
  }

  /** Notes that a message landed in the open slot. */
  markLanded(blockhash: string, messageHash: string): void {
    this.#blockhashes.get(blockhash)?.landed.set(messageHash, this.open);
  }

  /** The blockhashes of the slots before this one, newest first, as a bank of that slot sees them. */
  hashesBefore(slot: bigint, limit: number): { slot: bigint; hash: Uint8Array }[] {
    const end = this.#hashes.length - Number(this.open - slot) - 1;
    return this.#hashes.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
  }
}

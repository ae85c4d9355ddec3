import type { Address, Signature } from '@solana/kit';
import type { TransactionErrorJson } from './svm-errors.ts';
import type { TokenBalance } from './token-balances.ts';
import type { CompiledMessage, LoadedAddresses } from './transaction.ts';

export interface InnerInstruction {
  programIdIndex: number;
  accounts: number[];
  /** Base58. */
  data: string;
  stackHeight: number;
}

export interface ReturnData {
  programId: Address;
  data: Uint8Array;
}

/** The result of one execution, landed or simulated. */
export interface Execution {
  err: TransactionErrorJson | null;
  logs: string[];
  unitsConsumed: bigint;
  innerInstructions: { index: number; instructions: InnerInstruction[] }[];
  returnData: ReturnData | null;
}

/** A transaction that landed, with everything that a node stores about it. */
export interface LandedTransaction extends Execution {
  signature: Signature;
  signatures: Signature[];
  slot: bigint;
  wire: Uint8Array;
  message: CompiledMessage;
  loaded: LoadedAddresses;
  accountKeys: Address[];
  fee: bigint;
  memo: string | null;
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
}

/** The landed transactions that this node still has, by signature, by account and by slot. */
export class TransactionHistory {
  readonly #bySignature = new Map<Signature, LandedTransaction>();
  readonly #byAddress = new Map<Address, LandedTransaction[]>();
  /** Slots are in their order, because a map keeps the order of its first writes. */
  readonly #bySlot = new Map<bigint, LandedTransaction[]>();
  #count = 0n;
  /** The first slot whose block this node still has. */
  firstAvailableBlock: bigint;

  constructor(firstSlot: bigint) {
    this.firstAvailableBlock = firstSlot;
  }

  add(landed: LandedTransaction): void {
    this.#count += 1n;
    this.#bySignature.set(landed.signature, landed);
    append(this.#bySlot, landed.slot, landed);
    for (const address of new Set(landed.accountKeys)) append(this.#byAddress, address, landed);
  }

  /** Returns how many transactions landed up to a slot, also those that this node no longer has. */
  countAt(slot: bigint): bigint {
    let count = this.#count;
    for (const later of this.slots().reverse()) {
      if (later <= slot) break;
      count -= BigInt(this.inSlot(later).length);
    }
    return count;
  }

  get(signature: string): LandedTransaction | null {
    return this.#bySignature.get(signature as Signature) ?? null;
  }

  /** Returns the transactions that name an account, oldest first. */
  of(address: Address): readonly LandedTransaction[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** Returns the transactions of a slot, in the order in which they landed. */
  inSlot(slot: bigint): readonly LandedTransaction[] {
    return this.#bySlot.get(slot) ?? [];
  }

  /** Returns whether a transaction landed before another one. */
  isBefore(landed: LandedTransaction, other: LandedTransaction): boolean {
    if (landed.slot !== other.slot) return landed.slot < other.slot;
    return this.indexOf(landed) < this.indexOf(other);
  }

  /** Returns the position of a transaction in its slot. */
  indexOf(landed: LandedTransaction): number {
    return this.inSlot(landed.slot).indexOf(landed);
  }

  /** Returns the slots with a transaction, oldest first. */
  slots(): bigint[] {
    return [...this.#bySlot.keys()];
  }

  /** Drops every transaction, like a node that restarted from a snapshot of this slot. */
  forget(slot: bigint): void {
    this.#bySignature.clear();
    this.#byAddress.clear();
    this.#bySlot.clear();
    this.firstAvailableBlock = slot;
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

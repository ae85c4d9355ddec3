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

/** The landed transactions that this node still has, by signature and by account. */
export class TransactionHistory {
  readonly #bySignature = new Map<Signature, LandedTransaction>();
  readonly #byAddress = new Map<Address, LandedTransaction[]>();
  /** The first slot whose block this node still has. */
  firstAvailableBlock: bigint;
  count = 0n;

  constructor(firstSlot: bigint) {
    this.firstAvailableBlock = firstSlot;
  }

  add(landed: LandedTransaction): void {
    this.count += 1n;
    this.#bySignature.set(landed.signature, landed);
    for (const address of new Set(landed.accountKeys)) {
      const list = this.#byAddress.get(address);
      if (list) list.push(landed);
      else this.#byAddress.set(address, [landed]);
    }
  }

  get(signature: string): LandedTransaction | null {
    return this.#bySignature.get(signature as Signature) ?? null;
  }

  /** Returns the transactions that name an account, oldest first. */
  of(address: Address): readonly LandedTransaction[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** Drops every transaction, like a node that restarted from a snapshot of this slot. */
  forget(slot: bigint): void {
    this.#bySignature.clear();
    this.#byAddress.clear();
    this.firstAvailableBlock = slot;
  }
}

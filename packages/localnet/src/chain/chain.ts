import { type Address, lamports as toLamports } from '@solana/kit';
import { type AccountState, AccountVersions, type AccountWrite } from './account-versions.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { feeOf } from './fees.ts';
import { type Execution, type LandedTransaction, TransactionHistory } from './history.ts';
import type { Journal } from './journal.ts';
import type { ChainEntry, KeptAccount, KeptChain } from './kept-chain.ts';
import { memosOf } from './memos.ts';
import { type SlotRules, Slots } from './slots.ts';
import { type SimulatedExecution, Svm } from './svm.ts';
import type { TransactionErrorJson } from './svm-errors.ts';
import { SLOT_SYSVARS, slotSysvar } from './sysvars.ts';
import { tokenBalances } from './token-balances.ts';
import {
  accountKeys,
  type DecodedTransaction,
  type LoadedAddresses,
  loadedAddresses,
  lookupTables,
  signaturesOf,
  writableAccounts,
} from './transaction.ts';

/**
 * Errors found while a transaction's accounts are loaded: it lands, pays its fee and runs nothing.
 * litesvm charges nothing for these, so the fee is charged here.
 */
const FEE_ONLY_ERRORS = new Set<TransactionErrorJson>([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** Slots are noted this many at a time: so many may be skipped after a kill. */
const SLOTS_PER_ENTRY = 64n;

/** Where a chain is kept beyond this process. */
export interface ChainStore {
  readonly journal: Journal<ChainEntry>;
  /** What the runs before left; null for a new chain. */
  readonly kept: KeptChain | null;
  readonly genesisHash: string;
}

export interface SimulateOptions {
  /** The slot whose state the transaction is run on. */
  slot: bigint;
  verifySignatures: boolean;
  /** Refuse an unknown or expired blockhash, and a message that landed before. */
  checkLifetime: boolean;
}

/**
 * One chain: slots, accounts as of each slot, and the transactions that landed. With a store, every change is in its
 * journal before anybody can see it: what throws a JournalError has changed nothing.
 */
export class Chain {
  readonly slots: Slots;
  readonly history: TransactionHistory;
  readonly #svm = new Svm();
  readonly #accounts: AccountVersions;
  readonly #journal: Journal<ChainEntry> | undefined;
  /** The last slot that may be opened before another entry says so. */
  #lastNoted = 0n;

  constructor(rules: SlotRules, store?: ChainStore) {
    const { genesisSlot } = rules;
    const kept = store?.kept;
    this.slots = new Slots({ ...rules, before: kept?.slots });
    this.history = new TransactionHistory(genesisSlot);
    this.#accounts = new AccountVersions(this.#svm, genesisSlot);
    this.#journal = store?.journal;
    if (kept) {
      this.#svm.restore(kept.accounts);
      for (const landed of kept.landed) this.history.add(landed);
    } else if (store) {
      const time = this.slots.timeOf(genesisSlot)!;
      store.journal.append({ what: 'genesis', genesisHash: store.genesisHash, slot: genesisSlot, time });
    }
    this.#noteSlots(this.slots.open);
    this.#setSysvars(this.slots.open);
  }

  /** Notes the slot at which the chain ends, and takes no change from here on. */
  close(): void {
    if (!this.#journal) return;
    try {
      this.#journal.append({ what: 'slots', last: this.slots.open, time: this.#time });
    } finally {
      this.#journal.close();
    }
  }

  /** Closes the open slot and opens the next, as often as asked. */
  advance(count: number): void {
    this.#noteSlots(this.slots.open + BigInt(count));
    for (let done = 0; done < count; done++) {
      this.slots.next();
      this.#accounts.finalize(this.slots.at('finalized'));
    }
    // Nothing executes in between, so that the machine needs only the last slot's clock.
    this.#setSysvars(this.slots.open);
  }

  /** Moves chain time, for the open slot too. */
  setTime(unixSeconds: number): void {
    const offsetMs = this.slots.offsetAt(unixSeconds);
    this.#journal?.append({ what: 'time', offsetMs, time: unixSeconds });
    this.slots.setTime(unixSeconds);
    this.#setSysvars(this.slots.open);
  }

  /** An account as of a slot; null if it was not there. */
  account(address: Address, slot: bigint): AccountState | null {
    return slotSysvar(address, this.slots, slot) ?? this.#accounts.at(address, slot);
  }

  /** Every account that a program owned as of a slot. */
  accountsOwnedBy(owner: Address, slot: bigint): { address: Address; state: AccountState }[] {
    return this.#accounts
      .ownedBy(owner, slot)
      .map(({ address, state }) => ({ address, state: slotSysvar(address, this.slots, slot) ?? state }));
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.rentExemptMinimum(bytes);
  }

  /** Credits an account out of nothing, at every commitment at once, as if genesis had funded it. */
  endow(address: Address, amount: bigint): void {
    const endowed = (state: AccountState | null): AccountState => ({
      ...(state ?? { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }),
      lamports: toLamports((state?.lamports ?? 0n) + amount),
    });
    const now = endowed(this.#accounts.at(address, this.slots.open));
    this.#journal?.append({ what: 'endowed', accounts: [[address, now]] });
    this.#accounts.rewrite(address, endowed);
    this.#svm.write(address, this.#accounts.at(address, this.slots.open));
  }

  /** Runs a transaction on the state as of a slot and keeps nothing. */
  simulate(decoded: DecodedTransaction, options: SimulateOptions): SimulatedExecution {
    const { slot, verifySignatures: verify, checkLifetime } = options;
    const { lifetimeToken } = decoded.message;
    if (verify && !isFullySigned(decoded)) return rejected('SignatureFailure');
    const simulated = this.#simulateAsOf(decoded, slot, verify);
    // Signatures come before everything else, as on a node; only the machine can tell whether they hold.
    if (simulated.err === 'SignatureFailure' || !checkLifetime) return simulated;
    if (!this.slots.isBlockhashValid(lifetimeToken, slot)) return rejected('BlockhashNotFound');
    if (this.slots.hasLanded(lifetimeToken, decoded.messageHash, slot)) return rejected('AlreadyProcessed');
    return simulated;
  }

  /**
   * Executes a transaction in the open slot. Returns what landed, failed or not; null when it did
   * not land: unknown or expired blockhash, a message that landed before, a bad signature, or a fee
   * payer who cannot pay.
   */
  land(decoded: DecodedTransaction): LandedTransaction | null {
    const { message, messageHash, signature } = decoded;
    const slot = this.slots.open;
    if (!signature || !isFullySigned(decoded)) return null;
    if (!this.slots.isBlockhashValid(message.lifetimeToken)) return null;
    if (this.slots.hasLanded(message.lifetimeToken, messageHash)) return null;

    const loaded = this.loadedAddresses(decoded, slot);
    const keys = accountKeys(message, loaded);
    const before = keys.map((key) => this.account(key, slot));
    const writable = new Map(writableAccounts(message, loaded).map((key) => [key, this.account(key, slot)]));
    const executed = this.#svm.execute(decoded.transaction);
    const isMissing = executed.err === 'InvalidProgramForExecution' && this.#lacksProgram(decoded, slot);
    const execution = isMissing ? { ...executed, err: 'ProgramAccountNotFound' } : executed;
    const writes = this.#writesOf(execution, decoded, writable);
    if (!writes) return null;

    const read = (address: Address) => {
      const write = writes.get(address);
      return write ? write.after : this.account(address, slot);
    };
    const after = keys.map(read);
    const landed: LandedTransaction = {
      ...execution,
      signature,
      signatures: signaturesOf(decoded),
      slot,
      wire: decoded.wire,
      message,
      loaded,
      accountKeys: keys,
      fee: feeOf(message),
      memo: memosOf(message),
      preBalances: before.map((state) => state?.lamports ?? 0n),
      postBalances: after.map((state) => state?.lamports ?? 0n),
      preTokenBalances: tokenBalances(before, read),
      postTokenBalances: tokenBalances(after, read),
    };
    this.#note(landed, writes);
    for (const [address, write] of writes) this.#accounts.write(address, slot, write);
    this.slots.markLanded(message.lifetimeToken, messageHash);
    this.history.add(landed);
    return landed;
  }

  /** The addresses that a transaction takes from lookup tables, as of a slot. */
  loadedAddresses(decoded: DecodedTransaction, slot: bigint): LoadedAddresses {
    return loadedAddresses(decoded.message, (address) => this.account(address, slot));
  }

  /** What an execution wrote; null when it did not land: whoever lands pays the fee. */
  #writesOf(
    execution: Execution,
    { message }: DecodedTransaction,
    before: Map<Address, AccountState | null>,
  ): Map<Address, AccountWrite> | null {
    if (execution.err === null) {
      const writes = [...before].map(
        ([address, state]) => [address, { before: state, after: this.#svm.read(address) }] as const,
      );
      return new Map(writes.filter(([, write]) => !isSame(write.before, write.after)));
    }
    const payer = message.staticAccounts[0]!;
    const payerBefore = before.get(payer) ?? null;
    let payerAfter = this.#svm.read(payer);
    if (payerAfter && payerAfter.lamports === payerBefore?.lamports && FEE_ONLY_ERRORS.has(execution.err)) {
      const fee = feeOf(message);
      if (payerAfter.lamports < fee) return null;
      payerAfter = { ...payerAfter, lamports: toLamports(payerAfter.lamports - fee) };
      this.#svm.write(payer, payerAfter);
    }
    if (payerAfter?.lamports === payerBefore?.lamports) return null;
    return new Map([[payer, { before: payerBefore, after: payerAfter }]]);
  }

  /** Brings what landed into the journal, or the machine back to where it was. */
  #note(landed: LandedTransaction, writes: ReadonlyMap<Address, AccountWrite>): void {
    const accounts = [...writes].map(([address, { after }]): KeptAccount => [address, after]);
    try {
      this.#journal?.append({ what: 'landed', landed, accounts, time: this.#time });
    } catch (error) {
      for (const [address, { before }] of writes) this.#svm.write(address, before);
      throw error;
    }
  }

  /** Notes, some at a time, which slots may have been seen, so that those that hold nothing cost nothing. */
  #noteSlots(slot: bigint): void {
    if (!this.#journal || slot <= this.#lastNoted) return;
    const last = slot + SLOTS_PER_ENTRY;
    this.#journal.append({ what: 'slots', last, time: this.#time });
    this.#lastNoted = last;
  }

  get #time(): number {
    return this.slots.timeOf(this.slots.open)!;
  }

  #simulateAsOf(decoded: DecodedTransaction, slot: bigint, verify: boolean): SimulatedExecution {
    const { transaction, message } = decoded;
    if (this.#lacksProgram(decoded, slot)) {
      // litesvm keeps a program's code apart from its account and panics when only the code is there,
      // so that only the newest state can be asked whether the signatures hold.
      const isForged = verify && this.#svm.simulate(transaction, { verify }).err === 'SignatureFailure';
      return rejected(isForged ? 'SignatureFailure' : 'ProgramAccountNotFound');
    }
    const keys = accountKeys(message, this.loadedAddresses(decoded, slot));
    const addresses = [...keys, ...lookupTables(message)];
    return this.#asOf(slot, addresses, () => this.#svm.simulate(transaction, { verify }));
  }

  /** Whether a transaction calls a program that was not there; litesvm takes that for a wrong program. */
  #lacksProgram({ message }: DecodedTransaction, slot: bigint): boolean {
    return message.instructions.some(({ programAddressIndex }) => {
      const program = message.staticAccounts[programAddressIndex];
      return program !== undefined && this.account(program, slot) === null;
    });
  }

  /** Runs something with the machine's accounts and clock set back to a slot. */
  #asOf<T>(slot: bigint, addresses: readonly Address[], run: () => T): T {
    const { open } = this.slots;
    if (slot === open) return run();
    const moved = addresses.filter((key) => this.#accounts.at(key, slot) !== this.#accounts.at(key, open));
    try {
      this.#setSysvars(slot);
      for (const address of moved) this.#svm.write(address, this.#accounts.at(address, slot));
      return run();
    } finally {
      for (const address of moved) this.#svm.write(address, this.#accounts.at(address, open));
      this.#setSysvars(open);
    }
  }

  #setSysvars(slot: bigint): void {
    for (const address of SLOT_SYSVARS) this.#svm.write(address, this.account(address, slot));
  }
}

function isFullySigned({ transaction }: DecodedTransaction): boolean {
  return Object.values(transaction.signatures).every((signature) => signature !== null);
}

function isSame(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}

function rejected(err: TransactionErrorJson): SimulatedExecution {
  return {
    err,
    logs: [],
    unitsConsumed: 0n,
    innerInstructions: [],
    returnData: null,
    postAccounts: new Map(),
  };
}

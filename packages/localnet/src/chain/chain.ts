import { type Address, getBase58Decoder, lamports as toLamports } from '@solana/kit';
import type { Journal } from '../journal/journal.ts';
import type { ChainEntry, SavedAccount, SavedChain } from '../journal/saved-chain.ts';
import { type AccountState, AccountVersions, type AccountWrite, isSameAccount } from './account-versions.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { nonceAccountOf, nonceAfter, nonceIn, withNonce } from './durable-nonce.ts';
import { FEE_ONLY_ERRORS, feeOf } from './fees.ts';
import { type Execution, type LandedTransaction, TransactionHistory } from './history.ts';
import { memosOf } from './memos.ts';
import type { ChainObserver } from './observer.ts';
import { type SlotRules, Slots } from './slots.ts';
import { rejected, type SimulatedExecution, Svm } from './svm.ts';
import { SLOT_SYSVARS, slotSysvar } from './sysvars.ts';
import { tokenBalances } from './token-balances.ts';
import {
  accountKeys,
  type CompiledMessage,
  type DecodedTransaction,
  isFullySigned,
  type LoadedAddresses,
  loadedAddresses,
  lookupTables,
  signaturesOf,
  writableAccounts,
} from './transaction.ts';

/** Slots are written to the journal in groups of this size. After a kill, so many can be skipped. */
const SLOTS_PER_ENTRY = 64n;

/** The journal of a chain, and what earlier runs wrote to it. */
export interface ChainStore {
  readonly journal: Journal<ChainEntry>;
  /** The chain at the end of earlier runs; null for a new chain. */
  readonly saved: SavedChain | null;
  readonly genesisHash: string;
}

export interface SimulateOptions {
  /** The slot whose state the transaction runs on. */
  slot: bigint;
  verifySignatures: boolean;
  /** Whether to reject an unknown or expired blockhash, and a message that has already landed. */
  checkLifetime: boolean;
}

/**
 * One chain: slots, the accounts at each slot, and the transactions that landed. With a store, every change is written to
 * the journal before it is visible. A call that throws JournalError has changed nothing.
 */
export class Chain {
  readonly slots: Slots;
  readonly history: TransactionHistory;
  readonly #svm = new Svm();
  readonly #accounts: AccountVersions;
  readonly #journal: Journal<ChainEntry> | undefined;
  /** The last slot that can be opened without another journal entry. */
  #lastNoted = 0n;
  #observer: ChainObserver | undefined;
  /** The slot whose sysvars litesvm has. Undefined if the time of that slot has changed. */
  #sysvarsOf: bigint | undefined;

  constructor(rules: SlotRules, store?: ChainStore) {
    const { genesisSlot } = rules;
    const saved = store?.saved;
    this.slots = new Slots({ ...rules, before: saved?.slots });
    this.history = new TransactionHistory(genesisSlot);
    this.#accounts = new AccountVersions(this.#svm, genesisSlot);
    this.#journal = store?.journal;
    if (saved) {
      this.#svm.restore(saved.accounts);
      for (const landed of saved.landed) this.history.add(landed);
    } else if (store) {
      const time = this.slots.timeOf(genesisSlot)!;
      store.journal.append({ what: 'genesis', genesisHash: store.genesisHash, slot: genesisSlot, time });
    }
    this.#noteSlots(this.slots.open);
    this.#useSysvars(this.slots.open);
  }

  /** Reports every later change to an observer. A chain has at most one. */
  observe(observer: ChainObserver): void {
    this.#observer = observer;
  }

  /** Writes the last slot to the journal. The chain accepts no changes afterwards. */
  close(): void {
    if (!this.#journal) return;
    try {
      this.#journal.append({ what: 'slots', last: this.slots.open, time: this.#time });
    } finally {
      this.#journal.close();
    }
  }

  /** Closes the open slot and opens the next, `count` times. */
  advance(count: number): void {
    this.#noteSlots(this.slots.open + BigInt(count));
    for (let done = 0; done < count; done++) {
      this.slots.next();
      this.#accounts.finalize(this.slots.at('finalized'));
      this.#observer?.opened();
    }
  }

  /** Sets the chain time of the open slot, in Unix seconds. */
  setTime(unixSeconds: number): void {
    const offsetMs = this.slots.offsetAt(unixSeconds);
    this.#journal?.append({ what: 'time', offsetMs, time: unixSeconds });
    this.slots.setTime(unixSeconds);
    this.#sysvarsOf = undefined;
  }

  /** Returns an account at a slot, or null if it did not exist. */
  account(address: Address, slot: bigint): AccountState | null {
    return slotSysvar(address, this.slots, slot) ?? this.#accounts.at(address, slot);
  }

  /** Returns every account that a program owned at a slot. */
  accountsOwnedBy(owner: Address, slot: bigint): { address: Address; state: AccountState }[] {
    return this.#accounts
      .ownedBy(owner, slot)
      .map(({ address, state }) => ({ address, state: slotSysvar(address, this.slots, slot) ?? state }));
  }

  /** Returns the rent-exempt minimum for an account of some bytes, in lamports. */
  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.rentExemptMinimum(bytes);
  }

  /** Credits an account at every commitment at once, as if genesis had funded it. */
  endow(address: Address, amount: bigint): void {
    this.#rewrite(address, (state) => ({
      ...(state ?? { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }),
      lamports: toLamports((state?.lamports ?? 0n) + amount),
    }));
  }

  /** Puts an account at an address at every commitment at once, as if genesis had it. Does nothing if it is there. */
  install(address: Address, state: AccountState): void {
    // Otherwise, each run would add the same account to the journal.
    if (isSameAccount(this.#accounts.at(address, this.slots.open), state)) return;
    this.#rewrite(address, () => state);
  }

  /** Puts many accounts at every commitment at once. Programs come last, because litesvm loads their code from another account. */
  installAll(accounts: ReadonlyMap<Address, AccountState>): void {
    const isLast = ([, state]: readonly [Address, AccountState]) => Number(state.executable);
    const ordered = [...accounts].sort((one, other) => isLast(one) - isLast(other));
    for (const [address, state] of ordered) this.install(address, state);
  }

  /** Returns the newest state of every account that exists and was ever written. */
  writtenAccounts(): ReadonlyMap<Address, AccountState> {
    return this.#accounts.written();
  }

  #rewrite(address: Address, change: (state: AccountState | null) => AccountState): void {
    const now = change(this.#accounts.at(address, this.slots.open));
    this.#journal?.append({ what: 'endowed', accounts: [[address, now]] });
    this.#accounts.rewrite(address, change);
    this.#svm.write(address, this.#accounts.at(address, this.slots.open));
    this.#observer?.endowed(address);
  }

  /** Runs a transaction on the state at a slot, without any effect. */
  simulate(decoded: DecodedTransaction, options: SimulateOptions): SimulatedExecution {
    const { slot, verifySignatures: verify, checkLifetime } = options;
    const { lifetimeToken } = decoded.message;
    if (verify && !isFullySigned(decoded)) return rejected('SignatureFailure');
    const simulated = this.#simulateAsOf(decoded, slot, verify);
    // A node checks signatures first, and only litesvm can verify them.
    if (simulated.err === 'SignatureFailure' || !checkLifetime) return simulated;
    if (!this.isLive(decoded.message, slot)) return rejected('BlockhashNotFound');
    if (this.slots.hasLanded(lifetimeToken, decoded.messageHash, slot)) return rejected('AlreadyProcessed');
    return simulated;
  }

  /**
   * Executes a transaction in the open slot. Returns the landed transaction, also if it failed. Returns null if it did not
   * land: its blockhash is unknown or expired and no durable nonce, its message has already landed, a signature is wrong, or
   * the fee payer cannot pay.
   */
  land(decoded: DecodedTransaction): LandedTransaction | null {
    const { message, messageHash, signature } = decoded;
    const slot = this.slots.open;
    if (!signature || !isFullySigned(decoded)) return null;
    if (!this.isLive(message, slot)) return null;
    if (this.slots.hasLanded(message.lifetimeToken, messageHash)) return null;

    const loaded = this.loadedAddresses(decoded, slot);
    const keys = accountKeys(message, loaded);
    const before = keys.map((key) => this.account(key, slot));
    const writable = new Map(writableAccounts(message, loaded).map((key) => [key, this.account(key, slot)]));
    this.#useSysvars(slot);
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
    this.#observer?.landed(landed, writes.keys());
    return landed;
  }

  /** Returns whether a message can be processed in a slot: its blockhash is recent, or it is a durable nonce. */
  isLive(message: CompiledMessage, slot: bigint): boolean {
    return (
      this.slots.isBlockhashValid(message.lifetimeToken, slot) || this.#durableNonceOf(message, slot) !== null
    );
  }

  /** Returns the account whose nonce a message uses. A nonce can be used from the slot after the one that made it. */
  #durableNonceOf(message: CompiledMessage, slot: bigint): Address | null {
    const isNew = getBase58Decoder().decode(this.#nonceMadeIn(slot)) === message.lifetimeToken;
    return isNew ? null : nonceAccountOf(message, (address) => this.account(address, slot));
  }

  /** Returns the nonce that accounts get in a slot. The slot of genesis has no blockhash before it. */
  #nonceMadeIn(slot: bigint): Uint8Array {
    return nonceAfter(this.slots.hashesBefore(slot, 1)[0]?.hash ?? new Uint8Array());
  }

  /** Returns the addresses that a transaction loads from lookup tables, at a slot. */
  loadedAddresses(decoded: DecodedTransaction, slot: bigint): LoadedAddresses {
    return loadedAddresses(decoded.message, (address) => this.account(address, slot));
  }

  /** Returns what an execution wrote. Returns null if nobody paid the fee, because then it did not land. */
  #writesOf(
    execution: Execution,
    { message }: DecodedTransaction,
    before: Map<Address, AccountState | null>,
  ): Map<Address, AccountWrite> | null {
    if (execution.err === null) {
      const writes = [...before].map(
        ([address, state]) =>
          [address, { before: state, after: this.#afterSuccess(address, state) }] as const,
      );
      return new Map(writes.filter(([, write]) => !isSameAccount(write.before, write.after)));
    }
    const payer = message.staticAccounts[0]!;
    const payerBefore = before.get(payer) ?? null;
    let payerAfter = this.#svm.read(payer);
    // litesvm does not charge this fee.
    if (payerAfter && payerAfter.lamports === payerBefore?.lamports && FEE_ONLY_ERRORS.has(execution.err)) {
      const fee = feeOf(message);
      if (payerAfter.lamports < fee) return null;
      payerAfter = { ...payerAfter, lamports: toLamports(payerAfter.lamports - fee) };
      this.#svm.write(payer, payerAfter);
    }
    if (payerAfter?.lamports === payerBefore?.lamports) return null;
    const writes = new Map([[payer, { before: payerBefore, after: payerAfter }]]);
    const { open } = this.slots;
    const nonce = this.slots.isBlockhashValid(message.lifetimeToken)
      ? null
      : this.#durableNonceOf(message, open);
    const nonceBefore = nonce && (before.get(nonce) ?? null);
    if (!nonce || !nonceBefore) return writes;
    // A failure advances the nonce too. Otherwise the transaction could land again, and pay its fee again.
    const after = withNonce(writes.get(nonce)?.after ?? nonceBefore, this.#nonceMadeIn(open));
    this.#svm.write(nonce, after);
    return writes.set(nonce, { before: nonceBefore, after });
  }

  /**
   * Returns an account after a transaction. litesvm makes a nonce from the blockhash of its transaction, which could make the
   * same one twice. A cluster makes it from the newest blockhash.
   */
  #afterSuccess(address: Address, before: AccountState | null): AccountState | null {
    const after = this.#svm.read(address);
    const [old, made] = [nonceIn(before), nonceIn(after)];
    if (!after || !made || (old && Buffer.compare(old, made) === 0)) return after;
    const corrected = withNonce(after, this.#nonceMadeIn(this.slots.open));
    this.#svm.write(address, corrected);
    return corrected;
  }

  /** Writes a landed transaction to the journal. If that fails, it restores the accounts in litesvm. */
  #note(landed: LandedTransaction, writes: ReadonlyMap<Address, AccountWrite>): void {
    const accounts = [...writes].map(([address, { after }]): SavedAccount => [address, after]);
    try {
      this.#journal?.append({ what: 'landed', landed, accounts, time: this.#time });
    } catch (error) {
      for (const [address, { before }] of writes) this.#svm.write(address, before);
      throw error;
    }
  }

  /** Writes slots to the journal in groups, before one is visible, so that empty slots take little space. */
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
      // litesvm stores a program's code apart from its account and panics if only the code exists. So the signatures
      // are verified on the newest state.
      const isForged = verify && this.#svm.simulate(transaction, { verify }).err === 'SignatureFailure';
      return rejected(isForged ? 'SignatureFailure' : 'ProgramAccountNotFound');
    }
    const keys = accountKeys(message, this.loadedAddresses(decoded, slot));
    const addresses = [...keys, ...lookupTables(message)];
    return this.#asOf(slot, addresses, () => this.#svm.simulate(transaction, { verify }));
  }

  /** Returns whether a transaction calls a program that did not exist. litesvm reports a wrong program instead. */
  #lacksProgram({ message }: DecodedTransaction, slot: bigint): boolean {
    return message.instructions.some(({ programAddressIndex }) => {
      const program = message.staticAccounts[programAddressIndex];
      return program !== undefined && this.account(program, slot) === null;
    });
  }

  /** Runs something with litesvm's accounts and clock set back to a slot. */
  #asOf<T>(slot: bigint, addresses: readonly Address[], run: () => T): T {
    const { open } = this.slots;
    this.#useSysvars(slot);
    if (slot === open) return run();
    const moved = addresses.filter((key) => this.#accounts.at(key, slot) !== this.#accounts.at(key, open));
    try {
      for (const address of moved) this.#svm.write(address, this.#accounts.at(address, slot));
      return run();
    } finally {
      for (const address of moved) this.#svm.write(address, this.#accounts.at(address, open));
    }
  }

  /** Gives litesvm the sysvars of a slot before something runs in it. Most slots are empty and need none. */
  #useSysvars(slot: bigint): void {
    if (this.#sysvarsOf === slot) return;
    for (const address of SLOT_SYSVARS) this.#svm.write(address, this.account(address, slot));
    this.#sysvarsOf = slot;
  }
}

import { type Address, lamports as toLamports } from '@solana/kit';
import { type AccountState, AccountVersions } from './account-versions.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { feeOf } from './fees.ts';
import { type Execution, type LandedTransaction, TransactionHistory } from './history.ts';
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

export interface SimulateOptions {
  /** The slot whose state the transaction is run on. */
  slot: bigint;
  verifySignatures: boolean;
  /** Refuse an unknown or expired blockhash, and a message that landed before. */
  checkLifetime: boolean;
}

/** One chain: slots, accounts as of each slot, and the transactions that landed. */
export class Chain {
  readonly slots: Slots;
  readonly history: TransactionHistory;
  readonly #svm = new Svm();
  readonly #accounts: AccountVersions;

  constructor(rules: SlotRules) {
    this.slots = new Slots(rules);
    this.history = new TransactionHistory(rules.genesisSlot);
    this.#accounts = new AccountVersions(this.#svm, rules.genesisSlot);
    this.#setSysvars(this.slots.open);
  }

  /** Closes the open slot and opens the next, as often as asked. */
  advance(count: number): void {
    for (let done = 0; done < count; done++) {
      this.slots.next();
      this.#accounts.finalize(this.slots.at('finalized'));
    }
    // Nothing executes in between, so that the machine needs only the last slot's clock.
    this.#setSysvars(this.slots.open);
  }

  /** Moves chain time, for the open slot too. */
  setTime(unixSeconds: number): void {
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
    this.#accounts.rewrite(address, (state) => ({
      ...(state ?? { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }),
      lamports: toLamports((state?.lamports ?? 0n) + amount),
    }));
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
    if (!this.#keep(execution, decoded, writable)) return null;

    const after = keys.map((key) => this.account(key, slot));
    const read = (address: Address) => this.account(address, slot);
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
    this.slots.markLanded(message.lifetimeToken, messageHash);
    this.history.add(landed);
    return landed;
  }

  /** The addresses that a transaction takes from lookup tables, as of a slot. */
  loadedAddresses(decoded: DecodedTransaction, slot: bigint): LoadedAddresses {
    return loadedAddresses(decoded.message, (address) => this.account(address, slot));
  }

  /** Records what an execution wrote. Returns whether it landed: whoever lands pays the fee. */
  #keep(
    execution: Execution,
    { message }: DecodedTransaction,
    before: Map<Address, AccountState | null>,
  ): boolean {
    if (execution.err === null) {
      for (const [address, state] of before) this.#record(address, state, this.#svm.read(address));
      return true;
    }
    const payer = message.staticAccounts[0]!;
    const payerBefore = before.get(payer) ?? null;
    let payerAfter = this.#svm.read(payer);
    if (payerAfter && payerAfter.lamports === payerBefore?.lamports && FEE_ONLY_ERRORS.has(execution.err)) {
      const fee = feeOf(message);
      if (payerAfter.lamports < fee) return false;
      payerAfter = { ...payerAfter, lamports: toLamports(payerAfter.lamports - fee) };
      this.#svm.write(payer, payerAfter);
    }
    if (payerAfter?.lamports === payerBefore?.lamports) return false;
    this.#record(payer, payerBefore, payerAfter);
    return true;
  }

  #record(address: Address, before: AccountState | null, after: AccountState | null): void {
    if (!isSame(before, after)) this.#accounts.write(address, this.slots.open, { before, after });
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

/** Reads the message of an operation, or of another transaction: its instructions, and what a wallet may add to them. */
import { type Address, getCompiledTransactionMessageDecoder } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM, type ComputeBudget, readBudgetData } from './compute-budget.ts';
import { isGuardData, LIGHTHOUSE_PROGRAM } from './guard.ts';

/** An instruction of a message, with the addresses of its accounts. */
export interface MessageInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** What a message lets an address do. */
export interface KeyRole {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** A version 0 message without lookup tables. */
export interface OperationInstructions {
  /** The first signer, which pays. An operation has no other. */
  readonly wallet: Address;
  readonly blockhash: string;
  /** Every address of the message, with its role. */
  readonly keys: ReadonlyMap<Address, KeyRole>;
  /** Programs of all instructions in their order, to name the one that failed. */
  readonly programs: readonly Address[];
  /** The instructions that are neither guards nor compute budget: of an operation, the memo and the action. */
  readonly instructions: readonly MessageInstruction[];
  /** The guards in their order. */
  readonly guards: readonly MessageInstruction[];
  readonly budget: ComputeBudget;
}

/** Reads the message of an operation, which the wallet alone signs. Returns null where {@link readInstructions} does. */
export function readOperationInstructions(message: Uint8Array): OperationInstructions | null {
  return readInstructions(message, 1);
}

/**
 * Reads a message that so many keys sign, or returns null for a message of another form: another version, lookup tables,
 * more or fewer signers, a payer that it may not write to, an address twice, a compute budget that sets one thing twice or
 * sets anything but limit and price, or a Lighthouse instruction that is no guard.
 */
export function readInstructions(message: Uint8Array, signers: number): OperationInstructions | null {
  try {
    return read(message, signers);
  } catch {
    return null;
  }
}

function read(bytes: Uint8Array, signers: number): OperationInstructions | null {
  const message = getCompiledTransactionMessageDecoder().decode(bytes);
  if (message.version !== 0 || message.addressTableLookups?.length) return null;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const writableSigners = signers - numReadonlySignerAccounts;
  if (numSignerAccounts !== signers || writableSigners < 1) return null;
  const addresses = message.staticAccounts;
  const [wallet] = addresses;
  const firstReadonly = addresses.length - numReadonlyNonSignerAccounts;
  const keys = new Map(
    addresses.map((key, index): [Address, KeyRole] => {
      const isSigner = index < signers;
      return [key, { isSigner, isWritable: index < (isSigner ? writableSigners : firstReadonly) }];
    }),
  );
  if (!wallet || firstReadonly < signers || keys.size !== addresses.length) return null;
  const addressAt = (index: number): Address => {
    const found = addresses[index];
    if (!found) throw new RangeError('the message has no such address');
    return found;
  };
  const all = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data }): MessageInstruction => ({
      program: addressAt(programAddressIndex),
      accounts: accountIndices.map(addressAt),
      data: new Uint8Array(data ?? []),
    }),
  );
  const budget = readBudget(all.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM));
  const guards = all.filter(({ program }) => program === LIGHTHOUSE_PROGRAM);
  if (!budget || !guards.every(isGuard)) return null;
  return {
    wallet,
    blockhash: message.lifetimeToken,
    keys,
    programs: all.map(({ program }) => program),
    instructions: all.filter(
      ({ program }) => program !== COMPUTE_BUDGET_PROGRAM && program !== LIGHTHOUSE_PROGRAM,
    ),
    guards,
    budget,
  };
}

function isGuard({ accounts, data }: MessageInstruction): boolean {
  return accounts.length === 1 && isGuardData(data);
}

function readBudget(instructions: readonly MessageInstruction[]): ComputeBudget | null {
  let budget: ComputeBudget = {};
  for (const { accounts, data } of instructions) {
    const part = readBudgetData(data);
    if (!part || accounts.length > 0) return null;
    if (Object.keys(part).some((name) => name in budget)) return null;
    budget = { ...budget, ...part };
  }
  return budget;
}

/** Changes of an instruction in one place: an account, a role, the data. */
import { MEMO_PROGRAM, memoText } from '@service/protocol';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import idl from '../../idl.json' with { type: 'json' };
import { PROGRAM } from './chain.ts';

/** An instruction of the memo program, which does nothing. */
export const MEMO: Instruction = {
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: new TextEncoder().encode(memoText('01234567-89ab-4cde-8f01-23456789abcd')),
};

/** An account of an instruction as the IDL lists it. */
export type ListedAccount = ReturnType<typeof accountsOf>[number];

/** Returns the accounts of an instruction in the order of the IDL. Throws if there is no such instruction. */
export function accountsOf(instruction: string) {
  const found = idl.program.instructions.find(({ name }) => name === instruction);
  if (!found) throw new Error(`The IDL has no instruction ${instruction}.`);
  return found.accounts.map(({ name, isSigner, isWritable, isOptional }) => ({
    name,
    isSigner: isSigner === true,
    isWritable: isWritable === true,
    /** Whether nothing is in its place if it is left out. Otherwise the program is. */
    isOmitted: isOptional === true && found.optionalAccountStrategy === 'omitted',
  }));
}

/**
 * Returns the instruction with a change of the account at an index. The index after the last one adds an account that
 * was left out, read only.
 */
export function withAccount(
  instruction: Instruction,
  index: number,
  change: Partial<AccountMeta>,
): Instruction {
  const accounts = instruction.accounts as AccountMeta[];
  const account = { address: PROGRAM, role: AccountRole.READONLY, ...accounts[index], ...change };
  return { ...instruction, accounts: accounts.toSpliced(index, 1, account) };
}

/** Returns the instruction with `to` wherever it names the account `from`. */
export function withAddress(instruction: Instruction, from: Address, to: Address): Instruction {
  const replaced = ({ address, role }: AccountMeta) => ({ address: address === from ? to : address, role });
  return { ...instruction, accounts: instruction.accounts!.map(replaced) };
}

/** Returns the instruction with other data. */
export function withData(
  instruction: Instruction,
  change: (data: Uint8Array) => ArrayLike<number>,
): Instruction {
  return { ...instruction, data: Uint8Array.from(change(Uint8Array.from(instruction.data!))) };
}

/** Changes of an instruction in one place: an account, a role, the data. */
import { MEMO_PROGRAM, memoText } from '@service/protocol';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  downgradeRoleToNonSigner,
  downgradeRoleToReadonly,
  type Instruction,
} from '@solana/kit';
import idl from '../../idl.json' with { type: 'json' };

/** An instruction of the memo program, which does nothing. */
export const MEMO: Instruction = {
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: new TextEncoder().encode(memoText('01234567-89ab-4cde-8f01-23456789abcd')),
};

/** An account of an instruction as the IDL lists it. */
export interface ListedAccount {
  readonly name: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly isOptional: boolean;
}

/** The accounts of an instruction in the order of the IDL. Throws when there is no such instruction. */
export function accountsOf(instruction: string): readonly ListedAccount[] {
  const found = idl.program.instructions.find(({ name }) => name === instruction);
  if (!found) throw new Error(`The IDL has no instruction ${instruction}.`);
  return found.accounts.map(({ name, isSigner, isWritable, isOptional }) => ({
    name,
    isSigner: isSigner === true,
    isWritable: isWritable === true,
    isOptional: isOptional === true,
  }));
}

/**
 * Returns the instruction with another account in one place, with the same role unless one is given. The place after
 * the last one adds an account that was left out, read only.
 */
export function withAccount(
  instruction: Instruction,
  place: number,
  change: { address?: Address; role?: AccountRole },
): Instruction {
  if (place === instruction.accounts!.length && change.address) {
    const added = { address: change.address, role: change.role ?? AccountRole.READONLY };
    return { ...instruction, accounts: [...instruction.accounts!, added] };
  }
  const accounts = instruction.accounts!.map((account, index) =>
    index === place
      ? { address: change.address ?? account.address, role: change.role ?? account.role }
      : account,
  );
  return { ...instruction, accounts };
}

/** Returns the instruction with `to` wherever it names the account `from`. */
export function withAddress(instruction: Instruction, from: Address, to: Address): Instruction {
  const replaced = ({ address, role }: AccountMeta) => ({ address: address === from ? to : address, role });
  return { ...instruction, accounts: instruction.accounts!.map(replaced) };
}

/** Returns the instruction with one account that does not sign. */
export function withoutSignature(instruction: Instruction, place: number): Instruction {
  return withAccount(instruction, place, {
    role: downgradeRoleToNonSigner(instruction.accounts![place]!.role),
  });
}

/** Returns the instruction with one account that is read only. */
export function withReadonly(instruction: Instruction, place: number): Instruction {
  return withAccount(instruction, place, {
    role: downgradeRoleToReadonly(instruction.accounts![place]!.role),
  });
}

/** Returns the instruction with other data. */
export function withData(
  instruction: Instruction,
  change: (data: Uint8Array) => ArrayLike<number>,
): Instruction {
  return { ...instruction, data: Uint8Array.from(change(Uint8Array.from(instruction.data!))) };
}

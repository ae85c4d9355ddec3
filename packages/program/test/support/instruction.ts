/** Instructions of the program, changed in one place: an account by its name in the IDL, the roles, the data. */
import { AccountRole, type Address, downgradeRoleToNonSigner, type Instruction } from '@solana/kit';
import idl from '../../idl.json' with { type: 'json' };

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

/** The place of an account in an instruction. Throws when the IDL lists none of that name. */
export function placeOf(instruction: string, account: string): number {
  const place = accountsOf(instruction).findIndex(({ name }) => name === account);
  if (place < 0) throw new Error(`The IDL lists no account ${account} in ${instruction}.`);
  return place;
}

/**
 * The instruction with another account in one place; its role stays unless it is given. In the place right after the
 * last one is an account that is left out: it is added, read only.
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

/** The instruction with one account that does not sign. */
export function withoutSignature(instruction: Instruction, place: number): Instruction {
  return withAccount(instruction, place, {
    role: downgradeRoleToNonSigner(instruction.accounts![place]!.role),
  });
}

/** The instruction with one account that is read only. */
export function withReadonly(instruction: Instruction, place: number): Instruction {
  const { role } = instruction.accounts![place]!;
  const readonly = role === AccountRole.WRITABLE_SIGNER ? AccountRole.READONLY_SIGNER : AccountRole.READONLY;
  return withAccount(instruction, place, { role: readonly });
}

/** The instruction with other data. */
export function withData(
  instruction: Instruction,
  change: (data: Uint8Array) => ArrayLike<number>,
): Instruction {
  return { ...instruction, data: Uint8Array.from(change(Uint8Array.from(instruction.data!))) };
}

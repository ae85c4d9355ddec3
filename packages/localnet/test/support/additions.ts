/** Messages as wallets sign them: a prepared one with instructions added. */
import { LIGHTHOUSE_PROGRAM, splitWireTransaction } from '@service/protocol';
import {
  AccountRole,
  type Address,
  compileTransaction,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
} from '@solana/kit';

/** Instructions to add before and after the prepared ones, and parts of the message to replace. */
interface Additions {
  readonly before?: readonly Instruction[];
  readonly after?: readonly Instruction[];
  readonly changes?: object;
}

/** Returns the unsigned transaction with additions, in base64. */
export function withAdditions(
  transaction: string,
  { before = [], after = [], changes = {} }: Additions,
): string {
  const wire = splitWireTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const compiled = getCompiledTransactionMessageDecoder().decode(wire!.message);
  const message = decompileTransactionMessage(compiled as never);
  const instructions = [...before, ...message.instructions, ...after];
  const changed = compileTransaction({ ...message, instructions, ...changes } as never);
  return Buffer.from(getTransactionEncoder().encode(changed)).toString('base64');
}

/** Returns the message of a transaction, in base64. */
export function messageOf(transaction: string): string {
  const wire = Buffer.from(transaction, 'base64');
  return wire.subarray(1 + 64 * wire[0]!).toString('base64');
}

/** Returns a guard that holds while an account belongs to the system program, or its opposite. */
export function ownerGuard(account: Address, isEqual = true): Instruction {
  const accounts = [{ address: account, role: AccountRole.READONLY }];
  return {
    programAddress: LIGHTHOUSE_PROGRAM,
    accounts,
    data: Uint8Array.of(6, 4, 1, 3, 0, isEqual ? 0 : 1),
  };
}

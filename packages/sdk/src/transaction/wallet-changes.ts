/** Describes how a wallet changed a transaction while signing it, in words and in kinds. */
import { compareMessages, type ReadInstruction, readMessage, sameBytes } from './compare-messages.ts';

/** One thing that a wallet changed (SPEC.md section 1). */
export interface WalletChange {
  /**
   * `PRIORITY_FEE` and `COMPUTE_LIMIT`: it added a compute budget instruction. `GUARD`: it added an instruction of a
   * program that checks the outcome, such as Lighthouse. `INSTRUCTION`: it added another one. `BLOCKHASH`: it replaced the
   * blockhash. `OTHER`: it changed the requested transaction, or returned no transaction with one signature.
   */
  readonly kind: 'PRIORITY_FEE' | 'COMPUTE_LIMIT' | 'GUARD' | 'INSTRUCTION' | 'BLOCKHASH' | 'OTHER';
  /** Address of the program of an added instruction. */
  readonly program?: string;
  /** A description of the change, for messages. */
  readonly what: string;
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/** Programs of guard instructions, by address. */
const GUARDS: Readonly<Record<string, string>> = {
  L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95: 'Lighthouse',
};

/** Returns what a wallet changed between the given message and the signed one. Empty only if they are equal. */
export function walletChanges(given: Uint8Array, signed: Uint8Array): readonly WalletChange[] {
  if (sameBytes(given, signed)) return [];
  const before = readMessage(given);
  const after = readMessage(signed);
  if (!before || !after) return [{ kind: 'OTHER', what: 'returned bytes other than a valid message' }];
  const changes: WalletChange[] = [];
  if (before.blockhash !== after.blockhash) {
    const what = `replaced the blockhash ${before.blockhash} by ${after.blockhash}`;
    changes.push({ kind: 'BLOCKHASH', what });
  }
  const left = [...before.instructions];
  for (const instruction of after.instructions) {
    if (left[0] && isSame(left[0], instruction)) left.shift();
    else changes.push(added(instruction));
  }
  const isWhole = left.length === 0 && before.feePayer === after.feePayer && before.version === after.version;
  // The added instructions explain the rest, because their accounts are in the message too.
  if (isWhole && changes.length > 0) return changes;
  const others = compareMessages(given, signed).map(({ part }) => part);
  return [{ kind: 'OTHER', what: `changed the transaction itself: ${others.join('; ')}` }, ...changes];
}

/** Returns the changes as the middle of a sentence. */
export function inWords(changes: readonly WalletChange[]): string {
  return changes.map(({ what }) => what).join(', and ') || 'returned something other than the transaction';
}

function isSame(one: ReadInstruction, other: ReadInstruction): boolean {
  return (
    one.program === other.program &&
    one.accounts.length === other.accounts.length &&
    // Compare without roles: an account that an added instruction writes to becomes writable in all of them.
    one.accounts.every((account, index) => keyOf(account) === keyOf(other.accounts[index])) &&
    sameBytes(one.data, other.data)
  );
}

function keyOf(account: string | undefined): string | undefined {
  return account?.split(' ')[0];
}

function added({ program, data }: ReadInstruction): WalletChange {
  if (program === COMPUTE_BUDGET) return budgetChange(program, data);
  const name = GUARDS[program];
  if (name) return { kind: 'GUARD', program, what: `added a guard instruction of ${name} (${program})` };
  return { kind: 'INSTRUCTION', program, what: `added an instruction of the program ${program}` };
}

/** The compute budget program's instructions: a number byte, then an integer, least byte first. */
function budgetChange(program: string, data: Uint8Array): WalletChange {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data[0] === 3 && data.length === 9) {
    const price = view.getBigUint64(1, true);
    return {
      kind: 'PRIORITY_FEE',
      program,
      what: `added a priority fee of ${price} micro-lamports for each compute unit (Compute Budget)`,
    };
  }
  if (data[0] === 2 && data.length === 5) {
    const units = view.getUint32(1, true);
    return {
      kind: 'COMPUTE_LIMIT',
      program,
      what: `added a limit of ${units} compute units (Compute Budget)`,
    };
  }
  return { kind: 'COMPUTE_LIMIT', program, what: 'added a Compute Budget instruction' };
}

/** Decides whether a message that a wallet signed is the prepared one, to which it added only guards and a compute budget. */
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from '@solana/kit';
import { MAX_TRANSACTION_BYTES } from '../plans/message.ts';
import { COMPUTE_BUDGET_PROGRAM, priorityFeeLamports } from './compute-budget.ts';
import {
  type KeyRole,
  type MessageInstruction,
  type OperationInstructions,
  readInstructions,
} from './operation-instructions.ts';

/** What a wallet may add to a prepared message. */
export interface AdditionLimits {
  /** Whether it may add guards. */
  readonly guards: boolean;
  /** The most that it may add to the fee, in lamports. */
  readonly maxPriorityFeeLamports: bigint;
}

/** Whether a signed message can replace the prepared one. If not, `reason` completes a sentence that begins with the wallet. */
export type Adoption =
  | { readonly isAdoptable: true; readonly priorityFeeLamports: bigint }
  | { readonly isAdoptable: false; readonly reason: string };

/** The most guards in a message: more than wallets add. */
const MOST_GUARDS = 6;
/** The most bytes of data in all guards of a message. */
const MOST_GUARD_BYTES = 300;

/** The bytes of a signature. */
const SIGNATURE_BYTES = 64;

/** Who signs a message, and what the wallet may add to it. */
export interface AdoptionTerms {
  /** The wallet, which pays. */
  readonly wallet: Address;
  /** The other signers. An operation has none. @default none */
  readonly keys?: readonly Address[];
  readonly limits: AdditionLimits;
}

/**
 * Decides whether the service and the client accept a signed message in place of the prepared one. All instructions but
 * guards and the compute budget must be the prepared ones, in their order: of an operation, the memo and the action. The
 * signers must be the same too. A wallet may order the addresses in another way, because it compiles the message again.
 *
 * @throws RangeError unless the prepared message has exactly these signers, and no guards, which a wallet could drop
 */
export function adoptable(
  prepared: Uint8Array,
  signed: Uint8Array,
  { wallet, keys = [], limits }: AdoptionTerms,
): Adoption {
  const { size: signers } = new Set([wallet, ...keys]);
  const before = readInstructions(prepared, signers);
  const isExpected = before?.wallet === wallet && keys.every((key) => before.keys.get(key)?.isSigner);
  if (!isExpected || before.guards.length > 0)
    throw new RangeError('the prepared message is not one with these signers and without guards');
  const refused = (reason: string): Adoption => ({ isAdoptable: false, reason });
  if (1 + SIGNATURE_BYTES * signers + signed.length > MAX_TRANSACTION_BYTES || !isCanonical(signed))
    return refused('returned bytes that are not a valid message');
  const after = readInstructions(signed, signers);
  if (!after) return refused('added more than guards and a compute budget');
  if (after.wallet !== wallet) return refused('changed the fee payer');
  if (after.blockhash !== before.blockhash) return refused('replaced the blockhash');
  if (after.instructions.length > before.instructions.length)
    return refused('added more than guards and a compute budget');
  if (!haveSameInstructions(before, after)) return refused('changed what the transaction does');
  if (!keepRoles(before, after)) return refused('changed which accounts the transaction may write to');
  if (after.guards.length > 0 && !limits.guards) return refused('added guards, which you did not allow');
  if (after.guards.length > MOST_GUARDS) return refused(`added more than ${MOST_GUARDS} guards`);
  if (after.guards.reduce((sum, { data }) => sum + data.length, 0) > MOST_GUARD_BYTES)
    return refused(`added guards of more than ${MOST_GUARD_BYTES} bytes`);
  const fee = priorityFeeLamports(after.budget);
  if (fee > limits.maxPriorityFeeLamports) {
    return refused(
      `set a priority fee of ${fee} lamports, which is above the cap of ${limits.maxPriorityFeeLamports}`,
    );
  }
  return { isAdoptable: true, priorityFeeLamports: fee };
}

/** Returns whether no other bytes have the same meaning. A validator and this reader could read other bytes differently. */
function isCanonical(message: Uint8Array): boolean {
  try {
    const again = getCompiledTransactionMessageEncoder().encode(
      getCompiledTransactionMessageDecoder().decode(message),
    );
    return again.length === message.length && again.every((byte, index) => byte === message[index]);
  } catch {
    return false;
  }
}

function haveSameInstructions(before: OperationInstructions, after: OperationInstructions): boolean {
  return (
    before.instructions.length === after.instructions.length &&
    before.instructions.every((instruction, index) => isSame(instruction, after.instructions[index]!))
  );
}

function isSame(one: MessageInstruction, other: MessageInstruction): boolean {
  return (
    one.program === other.program &&
    one.accounts.length === other.accounts.length &&
    one.accounts.every((account, index) => account === other.accounts[index]) &&
    one.data.length === other.data.length &&
    one.data.every((byte, index) => byte === other.data[index])
  );
}

/** The role of an address that was not in the prepared message. */
const NEW_KEY: KeyRole = { isSigner: false, isWritable: false };

/** Returns whether prepared addresses keep their roles, and the new ones are read-only and belong to an addition. */
function keepRoles(before: OperationInstructions, after: OperationInstructions): boolean {
  const used = new Set([...after.programs, ...after.guards.flatMap(({ accounts }) => accounts)]);
  for (const [key, role] of after.keys) {
    const { isSigner, isWritable } = before.keys.get(key) ?? NEW_KEY;
    if (role.isSigner !== isSigner || role.isWritable !== isWritable) return false;
    if (!before.keys.has(key) && !used.has(key)) return false;
  }
  return [...before.keys.keys()].every((key) => after.keys.has(key) || isOfBudget(key));
}

/** Returns whether an address belongs to the compute budget, which a wallet may replace together with this address. */
function isOfBudget(key: Address): boolean {
  return key === COMPUTE_BUDGET_PROGRAM;
}

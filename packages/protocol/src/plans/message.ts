/**
 * The message of an operation: version 0, paid by the wallet, with the memo and then one action (SPEC.md section 4). If the
 * caller asked for a priority fee, the compute budget comes before them.
 */
import {
  type Address,
  type Blockhash,
  compileTransactionMessage,
  getCompiledTransactionMessageEncoder,
  type Instruction,
} from '@solana/kit';
import { budgetInstructions, type ComputeBudget } from '../additions/compute-budget.ts';
import { MEMO_PROGRAM } from '../addresses.ts';
import { memoText } from '../memo.ts';

let encoder: ReturnType<typeof getCompiledTransactionMessageEncoder> | undefined;

/** Returns the bytes of the message that the wallet signs. Throws RangeError unless the operation id is a lowercase UUID. */
export function operationMessage(options: {
  wallet: Address;
  operationId: string;
  blockhash: string;
  instruction: Instruction;
  budget?: Required<ComputeBudget> | undefined;
}): Uint8Array {
  const budget = options.budget ? budgetInstructions(options.budget) : [];
  const memo = {
    programAddress: MEMO_PROGRAM,
    data: new TextEncoder().encode(memoText(options.operationId)),
  };
  const message = compileTransactionMessage({
    version: 0,
    feePayer: { address: options.wallet },
    // The last valid block height is not part of the message.
    lifetimeConstraint: { blockhash: options.blockhash as Blockhash, lastValidBlockHeight: 0n },
    instructions: [...budget, memo, options.instruction],
  });
  // kit's encoder has some fifty parts. Making it takes as long as using it.
  encoder ??= getCompiledTransactionMessageEncoder();
  return new Uint8Array(encoder.encode(message));
}

/** Returns a wire transaction with one signature: count, signature (zeros while unsigned), message. */
export function wireTransaction(message: Uint8Array, signature?: Uint8Array): Uint8Array {
  if (signature && signature.length !== 64) throw new RangeError('signature must be 64 bytes');
  const wire = new Uint8Array(1 + 64 + message.length);
  wire[0] = 1;
  if (signature) wire.set(signature, 1);
  wire.set(message, 65);
  return wire;
}

/** Returns the signature and the message of a wire transaction with one signature, or null for other bytes. */
export function splitWireTransaction(
  wire: Uint8Array,
): { signature: Uint8Array; message: Uint8Array } | null {
  if (wire.length <= 65 || wire.length > MAX_TRANSACTION_BYTES || wire[0] !== 1) return null;
  return { signature: wire.slice(1, 65), message: wire.slice(65) };
}

/** Maximum size of a transaction on the wire in bytes. */
export const MAX_TRANSACTION_BYTES = 1_232;

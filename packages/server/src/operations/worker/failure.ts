import type { OperationFailure, OperationKind } from '@service/contract';
import { programErrorOf } from '@service/protocol';
import type { TransactionError } from '@solana/kit';

/** The failure of a transaction that never landed and never can. */
export const NEVER_LANDED: OperationFailure = {
  reason: 'NEVER_LANDED',
  message: 'The transaction did not land before it expired, and never can. Nothing changed; prepare again.',
};

/** What went wrong on chain: which instruction (0 is the memo), and the program's own error by name where there is one. */
export function onChainFailure(kind: OperationKind, error: TransactionError): OperationFailure {
  const reason = 'ON_CHAIN_ERROR';
  const inInstruction = instructionErrorOf(error);
  if (!inInstruction) return { reason, message: `The transaction failed: ${nameOf(error)}.` };
  const [instruction, what] = inInstruction;
  const code = customCodeOf(what);
  if (code === null) return { reason, instruction, message: `The instruction failed: ${nameOf(what)}.` };
  const { name, message } = programErrorOf(kind, code);
  return { reason, instruction, programError: { code, name }, message: `${message}.` };
}

/** RPCs tell errors as names, or as objects with the name as their one key; numbers come as bigint or number. */
function instructionErrorOf(error: unknown): [instruction: number, what: unknown] | null {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return null;
  const { InstructionError: pair } = error;
  return Array.isArray(pair) ? [Number(pair[0]), pair[1]] : null;
}

function customCodeOf(what: unknown): number | null {
  if (typeof what !== 'object' || what === null || !('Custom' in what)) return null;
  return Number(what.Custom);
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null ? (Object.keys(error)[0] ?? 'unknown') : 'unknown';
}

/** What the chain says of a transaction that issues or revokes a credential. */
import { getRuleSetPassErrorMessage, type RuleSetPassError } from '@service/protocol/generated';
import type { TransactionError } from '@solana/kit';

/** A transaction that the chain refuses. */
export interface ChainRefusal {
  /** The program's error number; null when the refusal is not the program's. */
  readonly code: number | null;
  readonly reason: string;
}

/** Reads a transaction's error. */
export function chainRefusal(error: TransactionError): ChainRefusal {
  const code = customCode(error);
  if (code === null) return { code, reason: describe(error) };
  const message =
    getRuleSetPassErrorMessage(code as RuleSetPassError) ?? 'an error that is not the program’s';
  return { code, reason: `${message} (${code}).` };
}

/** The program's error number; its instruction comes second, after the ed25519 instruction. */
function customCode(error: TransactionError): number | null {
  if (typeof error !== 'object' || !('InstructionError' in error)) return null;
  const [index, detail] = error.InstructionError;
  return Number(index) === 1 && typeof detail === 'object' && 'Custom' in detail
    ? Number(detail.Custom)
    : null;
}

function describe(error: TransactionError): string {
  return JSON.stringify(error, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** What the chain says of a transaction that issues or revokes a credential. */
import { getRuleSetPassErrorMessage, type RuleSetPassError } from '@service/protocol/generated';
import type { Address, TransactionError } from '@solana/kit';

/** A transaction that the chain refuses. */
export interface ChainRefusal {
  /** The program's error number; null when the refusal is not the program's. */
  readonly code: number | null;
  readonly reason: string;
}

/** Of the System program, when the payer of a rent has not so many lamports. */
const LAMPORTS_LACKING = 1;

/** Reads a transaction's error; `feePayer` is who pays for the transaction. */
export function chainRefusal(error: TransactionError, feePayer: Address): ChainRefusal {
  const code = customCode(error);
  if (isUnpaid(error, code)) {
    return { code: null, reason: `The fee payer ${feePayer} has too little SOL: send it some.` };
  }
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

function isUnpaid(error: TransactionError, code: number | null): boolean {
  if (code === LAMPORTS_LACKING || error === 'AccountNotFound' || error === 'InsufficientFundsForFee')
    return true;
  return typeof error === 'object' && 'InsufficientFundsForRent' in error;
}

function describe(error: TransactionError): string {
  return JSON.stringify(error, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

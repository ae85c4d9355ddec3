/** Decodes the errors of transactions: which instruction failed, and the name of the program's error. */
import {
  PROGRAM_ERROR_MESSAGES,
  PROGRAM_ERROR_NAMES,
  SYSTEM_ERROR_NAMES,
  TOKEN_ERROR_NAMES,
} from './generated/program-errors';
import type { Intent } from './plans/intent.ts';

/** The action of a transaction: an operation, or issuing or revoking a credential. */
export type Action = Intent['kind'] | 'CREDENTIAL';

/** Name of an error of this program, of Token-2022 or of the system program; `CUSTOM_<code>` for another code. */
export type ProgramErrorName =
  | (typeof PROGRAM_ERROR_NAMES)[keyof typeof PROGRAM_ERROR_NAMES]
  | (typeof TOKEN_ERROR_NAMES)[number]
  | (typeof SYSTEM_ERROR_NAMES)[number]
  | `CUSTOM_${number}`;

/** An error that a program returned. */
export interface ProgramError {
  readonly code: number;
  /** For example `DESTINATION_PASS_MISSING`. */
  readonly name: ProgramErrorName;
}

/** Why a transaction failed on chain. */
export interface TransactionFailure {
  /** The runtime's name of the error, such as `InsufficientFundsForFee`; `Custom` when a program returned its own. */
  readonly cause: string;
  /** Index of the instruction that failed; absent when the transaction failed as a whole. */
  readonly instruction?: number;
  /** Absent when the runtime rejected the transaction, not a program. */
  readonly programError?: ProgramError;
}

/**
 * Decodes the error of a transaction as an RPC returns it: a name, or an object with the name as its one key. Numbers
 * come as bigint or number. An error of an unknown form has the cause `unknown`.
 */
export function decodeTransactionError(action: Action, error: unknown): TransactionFailure {
  const pair = fieldOf(error, 'InstructionError');
  if (!Array.isArray(pair)) return { cause: nameOf(error) };
  const [instruction, detail] = pair as readonly unknown[];
  const failure = { cause: nameOf(detail), instruction: Number(instruction) };
  const code = fieldOf(detail, 'Custom');
  return code === undefined ? failure : { ...failure, programError: programErrorOf(action, Number(code)) };
}

/** Returns the message of an error that {@link decodeTransactionError} decoded for the same action, without a full stop. */
export function programErrorMessage(action: Action, { code, name }: ProgramError): string {
  const other = otherProgramOf(action);
  const fallback = other.errors[code] ? `Error ${name} of ${other.name}` : `Custom program error ${code}`;
  return PROGRAM_ERROR_MESSAGES[code] ?? fallback;
}

/**
 * Codes from 6000 are this program's own, also when Token-2022 passes on an error of the transfer hook. Lower codes are
 * those of the program that the action calls.
 */
function programErrorOf(action: Action, code: number): ProgramError {
  const own: Readonly<Record<number, ProgramErrorName>> = PROGRAM_ERROR_NAMES;
  return { code, name: own[code] ?? otherProgramOf(action).errors[code] ?? `CUSTOM_${code}` };
}

function otherProgramOf(action: Action): { name: string; errors: readonly ProgramErrorName[] } {
  return action === 'TRANSFER' || action === 'ISSUE'
    ? { name: 'Token-2022', errors: TOKEN_ERROR_NAMES }
    : { name: 'the system program', errors: SYSTEM_ERROR_NAMES };
}

function fieldOf(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[key] : undefined;
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null ? (Object.keys(error)[0] ?? 'unknown') : 'unknown';
}

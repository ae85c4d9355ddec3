/** Decodes the errors of transactions: which instruction failed, and the name of the program's error. */

import type { Address } from '@solana/kit';
import { LIGHTHOUSE_PROGRAM } from './additions/guard.ts';
import { TOKEN_2022_PROGRAM } from './addresses.ts';
import {
  FIRST_PROGRAM_ERROR,
  PROGRAM_ERROR_MESSAGES,
  PROGRAM_ERROR_NAMES,
  SYSTEM_ERROR_NAMES,
  TOKEN_ERROR_NAMES,
} from './generated/program-errors';
import type { Intent } from './plans/intent.ts';

/** The action of a transaction: an operation, or issuing or revoking a credential. */
export type Action = Intent['kind'] | 'CREDENTIAL';

/**
 * Name of an error of this program, of Token-2022 or of the system program; `GUARD_FAILED` if a guard that the wallet added
 * stopped the transaction; `CUSTOM_<code>` for another code.
 */
export type ProgramErrorName =
  | 'GUARD_FAILED'
  | (typeof PROGRAM_ERROR_NAMES)[number]
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

/** What a failed transaction contained. */
export interface FailedTransaction {
  readonly action: Action;
  /** The program of the service. */
  readonly program: Address;
  /** The programs of the instructions, in their order. */
  readonly programs: readonly Address[];
}

/**
 * Decodes the error of a transaction as an RPC returns it: a name, or an object with the name as its one key. Numbers
 * come as bigint or number. An error of an unknown form has the cause `unknown`. The same code means different errors in
 * different programs, so the program of the failed instruction decides its name.
 */
export function decodeTransactionError(transaction: FailedTransaction, error: unknown): TransactionFailure {
  const pair = fieldOf(error, 'InstructionError');
  if (!Array.isArray(pair)) return { cause: nameOf(error) };
  const [index, detail] = pair as readonly unknown[];
  const instruction = Number(index);
  const failure = { cause: nameOf(detail), instruction };
  const custom = fieldOf(detail, 'Custom');
  if (custom === undefined) return failure;
  const code = Number(custom);
  return { ...failure, programError: { code, name: nameOfCode(transaction, instruction, code) } };
}

/** Returns the message of an error that {@link decodeTransactionError} decoded for the same action, without a full stop. */
export function programErrorMessage(action: Action, { code, name }: ProgramError): string {
  if (name === 'GUARD_FAILED') return 'A guard that the wallet added stopped the transaction';
  const called = calledBy(action);
  if (name === called.errors[code]) return `Error ${name} of ${called.name}`;
  return ownNameOf(code) === name
    ? (PROGRAM_ERROR_MESSAGES[code] ?? `Error ${name}`)
    : `Custom program error ${code}`;
}

function ownNameOf(code: number): ProgramErrorName | undefined {
  return PROGRAM_ERROR_NAMES[code - FIRST_PROGRAM_ERROR];
}

function nameOfCode({ action, program, programs }: FailedTransaction, instruction: number, code: number) {
  const failed = programs[instruction];
  if (failed === LIGHTHOUSE_PROGRAM) return 'GUARD_FAILED';
  // Token-2022 passes on an error of the transfer hook. The program passes on errors of the programs that it calls.
  const isOfAction = failed === program || failed === TOKEN_2022_PROGRAM;
  const known = isOfAction ? (ownNameOf(code) ?? calledBy(action).errors[code]) : undefined;
  return known ?? (`CUSTOM_${code}` as const);
}

function calledBy(action: Action): { name: string; errors: readonly ProgramErrorName[] } {
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

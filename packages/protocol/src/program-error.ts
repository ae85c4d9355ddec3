/** Decodes the errors of transactions: which instruction failed, and the name of the program's error. */

import type { Address } from '@solana/kit';
import { LIGHTHOUSE_PROGRAM } from './additions/guard.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from './addresses.ts';
import {
  FIRST_PROGRAM_ERROR,
  PROGRAM_ERROR_MESSAGES,
  PROGRAM_ERROR_NAMES,
  SYSTEM_ERROR_NAMES,
  TOKEN_ERROR_NAMES,
} from './generated/program-errors';
import type { Intent } from './plans/intent.ts';
import { TOKEN_ACL_PROGRAM } from './token-acl/mint-config.ts';

/** The action of a transaction: an operation, or issuing or revoking a credential. */
export type Action = Intent['kind'] | 'CREDENTIAL';

/**
 * Name of an error of this program, of Token-2022 or of the system program; `GUARD_FAILED` if a guard that the wallet added
 * stopped the transaction; `MINT_PAUSED` if the issuer paused the mint; `CUSTOM_<code>` for another code.
 */
export type ProgramErrorName =
  | 'GUARD_FAILED'
  | 'MINT_PAUSED'
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
  return { ...failure, programError: { code, name: programErrorName(transaction, instruction, code) } };
}

/** Returns the message of an error that {@link decodeTransactionError} decoded for the same action, without a full stop. */
export function programErrorMessage(action: Action, { code, name }: ProgramError): string {
  if (name === 'GUARD_FAILED') return 'A guard that the wallet added stopped the transaction';
  const called = calledBy(action);
  if (name === called.nameOf(code)) return `Error ${name} of ${called.name}`;
  return ownNameOf(code) === name
    ? (PROGRAM_ERROR_MESSAGES[code] ?? `Error ${name}`)
    : `Custom program error ${code}`;
}

function ownNameOf(code: number): ProgramErrorName | undefined {
  return PROGRAM_ERROR_NAMES[code - FIRST_PROGRAM_ERROR];
}

/**
 * Returns the name of an error by its code and the program that failed. The program passes on errors of the programs that it
 * calls, Token-2022 those of the transfer hook, and Token ACL those of the gate.
 */
export function programErrorName(
  { action, program, programs }: FailedTransaction,
  instruction: number,
  code: number,
): ProgramErrorName {
  const known = (): ProgramErrorName | undefined => {
    switch (programs[instruction]) {
      case LIGHTHOUSE_PROGRAM:
        return 'GUARD_FAILED';
      case program:
        return ownNameOf(code) ?? calledBy(action).nameOf(code);
      case TOKEN_2022_PROGRAM:
        return ownNameOf(code) ?? TOKEN_2022.nameOf(code);
      case TOKEN_ACL_PROGRAM:
        return ownNameOf(code);
      case SYSTEM_PROGRAM:
        return SYSTEM.nameOf(code);
      default:
        return undefined;
    }
  };
  return known() ?? `CUSTOM_${code}`;
}

interface Called {
  readonly name: string;
  readonly nameOf: (code: number) => ProgramErrorName | undefined;
}

/** The client of Token-2022 has no name for this error. */
const MINT_PAUSED = 67;
const TOKEN_2022: Called = {
  name: 'Token-2022',
  nameOf: (code) => (code === MINT_PAUSED ? 'MINT_PAUSED' : TOKEN_ERROR_NAMES[code]),
};
const SYSTEM: Called = { name: 'the system program', nameOf: (code) => SYSTEM_ERROR_NAMES[code] };

/** The actions in which the program calls Token-2022, or is called by it. */
const OF_TOKENS: readonly Action[] = ['ISSUE', 'TRANSFER', 'RECOVER', 'REDEEM'];
const calledBy = (action: Action): Called => (OF_TOKENS.includes(action) ? TOKEN_2022 : SYSTEM);

function fieldOf(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[key] : undefined;
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null ? (Object.keys(error)[0] ?? 'unknown') : 'unknown';
}

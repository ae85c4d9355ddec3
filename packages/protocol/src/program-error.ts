/** Names of the custom error codes that the action of an operation can end with on chain. */
import { PROGRAM_ERROR_MESSAGES, PROGRAM_ERROR_NAMES } from './generated/program-errors';
import type { Intent } from './plans/intent.ts';

/** An on-chain error: its name, as in `DESTINATION_PASS_MISSING`, and what it says. */
export interface ProgramError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

/**
 * The name of a custom error code of an operation's action. From 6000 they are the program's own, also when Token-2022
 * passes on what the transfer hook said; below they are Token-2022's where tokens move, else the system program's.
 * A code that nobody has is named `CUSTOM_<code>`.
 */
export function programErrorNameOf(kind: Intent['kind'], code: number): string {
  return PROGRAM_ERROR_NAMES[code] ?? otherProgramOf(kind).errors[code] ?? `CUSTOM_${code}`;
}

/** The error of a code: {@link programErrorNameOf}, and what it says. */
export function programErrorOf(kind: Intent['kind'], code: number): ProgramError {
  const name = programErrorNameOf(kind, code);
  const other = otherProgramOf(kind);
  const foreign = other.errors[code] ? `Error ${name} of ${other.name}` : `Custom program error ${code}`;
  return { code, name, message: PROGRAM_ERROR_MESSAGES[code] ?? foreign };
}

function otherProgramOf(kind: Intent['kind']): { name: string; errors: readonly string[] } {
  return kind === 'TRANSFER' || kind === 'ISSUE'
    ? { name: 'Token-2022', errors: TOKEN_ERRORS }
    : { name: 'the system program', errors: SYSTEM_ERRORS };
}

// Lists, because looking names up in those packages pulls the whole of them into the browser; a test holds them equal.

/** Names of Token-2022's errors by code. */
const TOKEN_ERRORS: readonly string[] = [
  'NOT_RENT_EXEMPT',
  'INSUFFICIENT_FUNDS',
  'INVALID_MINT',
  'MINT_MISMATCH',
  'OWNER_MISMATCH',
  'FIXED_SUPPLY',
  'ALREADY_IN_USE',
  'INVALID_NUMBER_OF_PROVIDED_SIGNERS',
  'INVALID_NUMBER_OF_REQUIRED_SIGNERS',
  'UNINITIALIZED_STATE',
  'NATIVE_NOT_SUPPORTED',
  'NON_NATIVE_HAS_BALANCE',
  'INVALID_INSTRUCTION',
  'INVALID_STATE',
  'OVERFLOW',
  'AUTHORITY_TYPE_NOT_SUPPORTED',
  'MINT_CANNOT_FREEZE',
  'ACCOUNT_FROZEN',
  'MINT_DECIMALS_MISMATCH',
  'NON_NATIVE_NOT_SUPPORTED',
];

/** Names of the system program's errors by code. */
const SYSTEM_ERRORS: readonly string[] = [
  'ACCOUNT_ALREADY_IN_USE',
  'RESULT_WITH_NEGATIVE_LAMPORTS',
  'INVALID_PROGRAM_ID',
  'INVALID_ACCOUNT_DATA_LENGTH',
  'MAX_SEED_LENGTH_EXCEEDED',
  'ADDRESS_WITH_SEED_MISMATCH',
  'NONCE_NO_RECENT_BLOCKHASHES',
  'NONCE_BLOCKHASH_NOT_EXPIRED',
  'NONCE_UNEXPECTED_BLOCKHASH_VALUE',
];

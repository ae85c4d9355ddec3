/** Names of the custom error codes that the action of an operation can end with on chain. */
import { PROGRAM_ERRORS } from './generated/program-errors';
import type { Intent } from './plans/intent.ts';

/** An on-chain error: its name, as in `DESTINATION_PASS_MISSING`, and what it says. */
export interface ProgramError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

/**
 * What a custom error code of an operation's action means. From 6000 they are the program's own, also when Token-2022
 * passes on what the transfer hook said; below they are Token-2022's where tokens move, else the system program's.
 * A code that nobody has is named `CUSTOM_<code>`.
 */
export function programErrorOf(kind: Intent['kind'], code: number): ProgramError {
  const own = PROGRAM_ERRORS[code];
  if (own) return { code, ...own };
  const movesTokens = kind === 'TRANSFER' || kind === 'ISSUE';
  const name = (movesTokens ? TOKEN_ERRORS : SYSTEM_ERRORS)[code];
  if (!name) return { code, name: `CUSTOM_${code}`, message: `Custom program error ${code}` };
  const program = movesTokens ? 'Token-2022' : 'the system program';
  return { code, name, message: `Error ${name} of ${program}` };
}

// Lists, because looking names up in those packages pulls the whole of them into the browser; a test holds them equal.

/** Names of Token-2022's errors by code. */
export const TOKEN_ERRORS: readonly string[] = [
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
export const SYSTEM_ERRORS: readonly string[] = [
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

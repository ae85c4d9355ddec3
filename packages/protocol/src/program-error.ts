/** Names of the custom error codes that the action of an operation can end with on chain. */
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
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
  const name = movesTokens ? nameIn(token, 'TOKEN_ERROR__', code) : nameIn(system, 'SYSTEM_ERROR__', code);
  if (!name) return { code, name: `CUSTOM_${code}`, message: `Custom program error ${code}` };
  const program = movesTokens ? 'Token-2022' : 'the system program';
  return { code, name, message: `Error ${name} of ${program}` };
}

function nameIn(constants: object, prefix: string, code: number): string | undefined {
  const found = Object.entries(constants).find(([name, value]) => name.startsWith(prefix) && value === code);
  return found?.[0].slice(prefix.length);
}

/** Says which instruction of a transaction failed, why, and what to do. */
import { type FailedTransaction, programErrorName } from '@service/protocol';
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND,
} from '@solana/kit';
import type { ProgramFailure } from '../error-contexts.ts';
import { LIMIT_REMEDY, programRemedy } from '../transaction/program-remedies.ts';

/** A transaction that failed. */
interface Failed extends FailedTransaction {
  readonly isChanged: boolean;
}

/** Why a transaction failed. */
export interface Cause extends ProgramFailure {
  /** The end of a sentence; empty if the instruction is not known. */
  readonly where: string;
  /** What to do, if that is known. */
  readonly remedy?: string | undefined;
}

/** Returns why a transaction failed, from the error that kit makes of the answer of an RPC. */
export function causeOf(failed: Failed, error: unknown): Cause {
  if (isSolanaError(error, SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND)) {
    const programs = [...new Set(failed.programs)].join(', ');
    const remedy = `This cluster does not have all of the programs ${programs}. Check the deployment and its cluster.`;
    return { where: '', remedy };
  }
  const instruction = (error as { context?: { index?: unknown } } | null)?.context?.index;
  if (typeof instruction !== 'number') return { where: '' };
  const where = ` in instruction ${instruction}`;
  if (!isSolanaError(error, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM))
    return { instruction, where, remedy: failed.isChanged ? LIMIT_REMEDY : undefined };
  const { code } = error.context;
  const name = programErrorName(failed, instruction, code);
  const remedy = programRemedy(name);
  return { instruction, programError: { code, name }, where: ` with ${name} (${code})${where}`, remedy };
}

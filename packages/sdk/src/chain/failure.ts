/** Says which instruction of a transaction failed, and what to do. */
import { LIGHTHOUSE_PROGRAM } from '@service/protocol';
import { type Address, isSolanaError, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM } from '@solana/kit';
import { GUARD_REMEDY, LIMIT_REMEDY } from '../transaction/addition-failures.ts';

/** A transaction that failed. */
interface Failed {
  readonly programs: readonly Address[];
  readonly isChanged: boolean;
}

/** Why a transaction failed. */
export interface Cause {
  /** The end of a sentence; empty if the instruction is not known. */
  readonly where: string;
  /** What to do if an addition of the wallet stopped it. */
  readonly remedy?: string;
}

/** Returns why a transaction failed, from the error that kit makes of the answer of an RPC. */
export function causeOf({ programs, isChanged }: Failed, error: unknown): Cause {
  const index = (error as { context?: { index?: unknown } } | null)?.context?.index;
  if (typeof index !== 'number') return { where: '' };
  const isCustom = isSolanaError(error, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM);
  const isGuard = isCustom && programs[index] === LIGHTHOUSE_PROGRAM;
  const where = `${isGuard ? ` with GUARD_FAILED (${error.context.code})` : ''} in instruction ${index}`;
  if (isGuard) return { where, remedy: GUARD_REMEDY };
  return isChanged && !isCustom ? { where, remedy: LIMIT_REMEDY } : { where };
}

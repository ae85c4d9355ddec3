/** The reason why the chain rejects a transaction that issues or revokes a credential. */
import { decodeTransactionError, programErrorMessage } from '@service/protocol';
import type { Address, TransactionError } from '@solana/kit';

/** The chain's rejection of a transaction. */
export interface ChainRefusal {
  /** The program's error number; null if the program did not reject it. */
  readonly code: number | null;
  readonly reason: string;
}

/** Error of the system program if the payer of rent does not have enough lamports. */
const TOO_FEW_LAMPORTS = 1;

/** The program's instruction comes second, after the ed25519 instruction. */
const PROGRAM_INSTRUCTION = 1;

/** The errors of a fee payer that cannot pay for the transaction. */
const UNPAID = ['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'];

/** Decodes the error of a transaction that `feePayer` pays for. */
export function chainRefusal(error: TransactionError, feePayer: Address): ChainRefusal {
  const { cause, instruction, programError } = decodeTransactionError('CREDENTIAL', error);
  const refusal = instruction === PROGRAM_INSTRUCTION ? programError : undefined;
  if (refusal?.code === TOO_FEW_LAMPORTS || (instruction === undefined && UNPAID.includes(cause))) {
    return { code: null, reason: `The fee payer ${feePayer} has too little SOL. Send SOL to it.` };
  }
  if (!refusal) return { code: null, reason: describe(error) };
  return { code: refusal.code, reason: `${programErrorMessage('CREDENTIAL', refusal)} (${refusal.code}).` };
}

function describe(error: TransactionError): string {
  return JSON.stringify(error, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** The reason why the chain rejects a transaction that issues or revokes a credential. */
import { decodeTransactionError, ED25519_PROGRAM, programErrorMessage } from '@service/protocol';
import type { Address, TransactionError } from '@solana/kit';
import type { Service } from '../../service.ts';

/** The chain's rejection of a transaction. */
export interface ChainRefusal {
  /** The program's error number; null if the program did not reject it. */
  readonly code: number | null;
  readonly reason: string;
}

/** Error of the system program if the payer of rent does not have enough lamports. */
const TOO_FEW_LAMPORTS = 1;

/** The errors of a fee payer that cannot pay for the transaction. */
const UNPAID = ['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'];

/** Decodes the error of a transaction that the service pays for. `programs` are those of its instructions, in order. */
export function chainRefusal(
  error: TransactionError,
  { feePayer, settings: { program } }: Service,
  programs: readonly Address[] = [ED25519_PROGRAM, program],
): ChainRefusal {
  const transaction = { action: 'CREDENTIAL', program, programs } as const;
  const { cause, instruction, programError } = decodeTransactionError(transaction, error);
  const refusal = transaction.programs[instruction ?? 0] === program ? programError : undefined;
  if (refusal?.code === TOO_FEW_LAMPORTS || (instruction === undefined && UNPAID.includes(cause))) {
    return { code: null, reason: `The fee payer ${feePayer.address} has too little SOL. Send SOL to it.` };
  }
  if (!refusal) return { code: null, reason: describe(error) };
  return { code: refusal.code, reason: `${programErrorMessage('CREDENTIAL', refusal)} (${refusal.code}).` };
}

function describe(error: TransactionError): string {
  return JSON.stringify(error, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** Transactions that the service signs and pays for: credentials, revocations, ends of passes and freezes. */
import { decodeTransactionError, ED25519_PROGRAM, programErrorMessage } from '@service/protocol';
import {
  type Address,
  appendTransactionMessageInstructions,
  assertIsSendableTransaction,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  getBase64Decoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionError,
} from '@solana/kit';
import type { Service } from './service.ts';

/** A signed transaction. */
export interface PaidTransaction {
  readonly wire: Uint8Array;
  readonly signature: Signature;
  /** Block height after which it can no longer land. */
  readonly lastValid: bigint;
}

/**
 * Signs a transaction with the newest confirmed blockhash, and simulates it on the newest confirmed state. Returns it with the
 * error of the simulation, or null. Throws the RPC's errors.
 */
export async function buildPaidTransaction(
  { rpc, feePayer }: Pick<Service, 'rpc' | 'feePayer'>,
  instructions: readonly Instruction[],
  abortSignal: AbortSignal,
): Promise<PaidTransaction & { readonly error: TransactionError | null }> {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(feePayer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions.map(withoutSigners), draft),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsSendableTransaction(transaction);
  const wire = new Uint8Array(getTransactionEncoder().encode(transaction));
  const simulated = await rpc
    .simulateTransaction(base64(wire), { commitment: 'confirmed', encoding: 'base64' })
    .send({ abortSignal });
  return {
    wire,
    signature: getSignatureFromTransaction(transaction),
    lastValid: lifetime.lastValidBlockHeight,
    error: simulated.value.err,
  };
}

/** Sends the bytes without preflight, because only the chain decides whether they land. Throws the RPC's errors. */
export async function sendPaidTransaction(
  { rpc }: Pick<Service, 'rpc'>,
  wire: Uint8Array,
  abortSignal: AbortSignal,
): Promise<void> {
  await rpc.sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true }).send({ abortSignal });
}

/** Removes the plan's signers, which cannot sign. The fee payer's own signer replaces them. */
function withoutSigners({ accounts, ...instruction }: Instruction): Instruction {
  return {
    ...instruction,
    accounts: (accounts ?? []).map(({ address, role }) => ({ address, role })) as never,
  };
}

function base64(wire: Uint8Array): Base64EncodedWireTransaction {
  return getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
}

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

/**
 * Lands one transaction for a row, even if the process crashes. The transaction is stored before it is sent. The same
 * bytes are sent again while they can land. Only after that a new transaction replaces it.
 */
import type { Instruction, Signature } from '@solana/kit';
import type { Selectable } from 'kysely';
import type { ChainWorkColumns } from '../../database/schema.ts';
import {
  buildPaidTransaction,
  type ChainRefusal,
  chainRefusal,
  type PaidTransaction,
  sendPaidTransaction,
} from '../../paid-transaction.ts';
import type { Service } from '../../service.ts';

/**
 * The result of one step of a row. MOVED: the row goes to another state. WAITING: a transaction was sent. AGAIN: this
 * attempt failed, and a retry may succeed.
 */
export type StepResult<State extends string> =
  | { readonly outcome: 'MOVED'; readonly state: State; readonly reason?: string }
  | { readonly outcome: 'WAITING' }
  | { readonly outcome: 'AGAIN'; readonly reason: string };

/** The parameters of a step besides its row. */
export interface StepOptions {
  readonly signal: AbortSignal;
  /** Stores a transaction before it is sent, or (null) removes one that cannot land; false if the lease was lost. */
  store(transaction: PaidTransaction | null): Promise<boolean>;
}

/** The parameters of a step that sends. */
export interface SendOptions<State extends string> extends StepOptions {
  /** Converts a rejection by the chain. */
  readonly refused: (refusal: ChainRefusal) => StepResult<State>;
  /** The result if the transaction is final but the row is not done. @default WAITING, until the chain shows it */
  readonly landed?: StepResult<State>;
  /** An instruction to add to a new transaction, unless it then fails its simulation. @default none */
  readonly addition?: Instruction | null;
}

/** Checks the transaction that was sent for a row; returns null if there is none. Throws the RPC's errors. */
export async function followSent<State extends string>(
  service: Service,
  row: Selectable<ChainWorkColumns>,
  { signal, store, refused, landed }: SendOptions<State>,
): Promise<StepResult<State> | null> {
  const { sent_signature: signature, sent_transaction: wire, sent_last_valid: lastValid } = row;
  if (!signature || !wire || lastValid === null) return null;
  // Read the height first, so that a missing status is missing as of that height or later.
  const height = await service.rpc.getBlockHeight({ commitment: 'finalized' }).send({ abortSignal: signal });
  const status = await readStatus(service, signature, signal);
  if (status?.confirmationStatus === 'finalized' && status.err) {
    const result = refused(chainRefusal(status.err, service));
    await store(null);
    return result;
  }
  if (status?.confirmationStatus === 'finalized' && landed) {
    await store(null);
    return landed;
  }
  if (!status && height > lastValid) {
    await store(null);
    return { outcome: 'AGAIN', reason: 'The transaction expired before it landed.' };
  }
  if (!status) await sendPaidTransaction(service, wire, signal);
  return { outcome: 'WAITING' };
}

/** Sends a new transaction, unless its simulation fails. Throws the RPC's errors. */
export async function sendNew<State extends string>(
  service: Service,
  instructions: readonly Instruction[],
  { signal, store, refused, addition }: SendOptions<State>,
): Promise<StepResult<State>> {
  const all = addition ? [...instructions, addition] : instructions;
  const { error, ...transaction } = await buildPaidTransaction(service, all, signal);
  if (error && addition) return sendNew(service, instructions, { signal, store, refused });
  if (error) return refused(chainRefusal(error, service));
  // Store it before it is sent, so that the next step knows of it after a crash.
  if (await store(transaction)) await sendPaidTransaction(service, transaction.wire, signal);
  return { outcome: 'WAITING' };
}

async function readStatus({ rpc }: Service, signature: Signature, abortSignal: AbortSignal) {
  const { value } = await rpc
    .getSignatureStatuses([signature], { searchTransactionHistory: true })
    .send({ abortSignal });
  return value[0] ?? null;
}

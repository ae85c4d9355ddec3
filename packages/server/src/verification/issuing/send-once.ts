/**
 * Landing one transaction of a row of work, whatever crashes in between: it is stored before it leaves, the same bytes go
 * out while they can land, and only when they cannot any more another takes their place.
 */
import type { Instruction, Signature } from '@solana/kit';
import type { Selectable } from 'kysely';
import type { Service } from '../../service.ts';
import type { ChainWorkColumns } from '../tables.ts';
import { type ChainRefusal, chainRefusal } from './chain-refusal.ts';
import {
  buildCredentialTransaction,
  type CredentialTransaction,
  sendCredentialTransaction,
  simulateCredentialTransaction,
} from './credential-transaction.ts';

/**
 * How a look at a row came out. MOVED: it goes to another state. WAITING: a transaction is under way. AGAIN: this try came
 * to nothing, another may not.
 */
export type Look<State extends string> =
  | { readonly outcome: 'MOVED'; readonly state: State; readonly reason?: string }
  | { readonly outcome: 'WAITING' }
  | { readonly outcome: 'AGAIN'; readonly reason: string };

/** What a look needs beside its row. */
export interface LookOptions {
  readonly signal: AbortSignal;
  /** Stores a transaction before it is sent, or (null) forgets one that cannot land; false when the lease is lost. */
  store(transaction: CredentialTransaction | null): Promise<boolean>;
}

/** The above, and what a refusal of the chain means. */
export interface SendOptions<State extends string> extends LookOptions {
  readonly refused: (refusal: ChainRefusal) => Look<State>;
}

/** Follows the transaction that a row says was sent; null when there is none. Throws what the RPC throws. */
export async function followSent<State extends string>(
  service: Service,
  row: Selectable<ChainWorkColumns>,
  { signal, store, refused }: SendOptions<State>,
): Promise<Look<State> | null> {
  const { sent_signature: signature, sent_transaction: wire, sent_last_valid: lastValid } = row;
  if (!signature || !wire || lastValid === null) return null;
  // The height comes first: a status that is still missing afterwards is missing past that height.
  const height = await service.rpc.getBlockHeight({ commitment: 'finalized' }).send({ abortSignal: signal });
  const status = await readStatus(service, signature, signal);
  if (status?.confirmationStatus === 'finalized' && status.err) {
    const look = refused(chainRefusal(status.err, service.feePayer.address));
    await store(null);
    return look;
  }
  if (!status && height > lastValid) {
    await store(null);
    return { outcome: 'AGAIN', reason: 'The transaction did not land in time.' };
  }
  if (!status) await sendCredentialTransaction(service, wire, signal);
  return { outcome: 'WAITING' };
}

/** Sends a new transaction, unless the chain would refuse it. Throws what the RPC throws. */
export async function sendNew<State extends string>(
  service: Service,
  instructions: readonly Instruction[],
  { signal, store, refused }: SendOptions<State>,
): Promise<Look<State>> {
  const transaction = await buildCredentialTransaction(service, instructions, signal);
  const error = await simulateCredentialTransaction(service, transaction.wire, signal);
  if (error) return refused(chainRefusal(error, service.feePayer.address));
  // Stored before it leaves: after a crash the next look knows what may be on its way.
  if (await store(transaction)) await sendCredentialTransaction(service, transaction.wire, signal);
  return { outcome: 'WAITING' };
}

async function readStatus({ rpc }: Service, signature: Signature, abortSignal: AbortSignal) {
  const { value } = await rpc
    .getSignatureStatuses([signature], { searchTransactionHistory: true })
    .send({ abortSignal });
  return value[0] ?? null;
}

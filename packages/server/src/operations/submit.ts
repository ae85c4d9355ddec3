/** `POST /api/transactions/submit`: accepts the signature over exactly the prepared or adopted message (SPEC.md sections 3, 4). */
import type { Operation } from '@service/contract';
import { splitWireTransaction } from '@service/protocol';
import { getBase58Decoder, type Signature } from '@solana/kit';
import { type SqlBool, sql } from 'kysely';
import { isSignedBy } from '../auth/wallet-signature.ts';
import type { OperationRow } from '../database/schema.ts';
import { transition } from '../database/transition.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import { assertNotPaused, draftStopsAtPause } from './pause.ts';
import { assertCanPayFee } from './prepare/can-pay.ts';
import { blockhashHasRunOut, lifetimeHasPassed } from './prepare/drafts.ts';
import { assertNothingPending, signedOperationPending } from './prepare/prepare.ts';
import { findOperation, messageToSign, operationRecordOf } from './record.ts';

/**
 * Queues a signed operation. Its bytes are committed before the response. A repeated submission returns the operation in
 * its current state.
 *
 * @throws ServiceFault NOT_FOUND, TRANSACTION_MISMATCH, DRAFT_EXPIRED, SIGNED_OPERATION_PENDING, PROTOCOL_PAUSED, or
 * INVALID_REQUEST if the wallet cannot pay the network fee (the draft is kept)
 */
export async function submit(service: Service, submission: RouteInput<'submit'>): Promise<Operation> {
  const { body, wallet, signal } = submission;
  const row = await findOperation(service, { id: body.operationId, wallet });
  const signature = checkSignature(row, body.transaction);
  if (row.state === 'EXPIRED') throw new ServiceFault('DRAFT_EXPIRED');
  if (row.state !== 'DRAFT') return operationRecordOf(service, row);
  try {
    await assertSubmittable(service, row, signal);
    const queued = await queue(service, row, signature);
    if (queued) return operationRecordOf(service, queued);
  } catch (refused) {
    // If the same submission was sent twice at once, the first may have queued it. Then the second must succeed too.
    if ((await findOperation(service, { id: body.operationId, wallet })).state === 'DRAFT') throw refused;
  }
  return submit(service, submission);
}

/** Checks a draft before it is signed. @throws ServiceFault DRAFT_EXPIRED, SIGNED_OPERATION_PENDING, PROTOCOL_PAUSED, INVALID_REQUEST */
export async function assertSubmittable(
  service: Service,
  row: OperationRow,
  signal: AbortSignal,
): Promise<void> {
  if (lifetimeHasPassed(service, row)) await refuseExpired(service, row);
  await assertNothingPending(service, row.wallet);
  if (draftStopsAtPause(row)) await assertNotPaused(service);
  if (await blockhashHasRunOut(service, row)) await refuseExpired(service, row);
  await assertCanPayFee(service, row, signal);
}

/** Returns the wallet's signature over the message to sign. @throws ServiceFault TRANSACTION_MISMATCH */
function checkSignature(row: OperationRow, transaction: string): Signature {
  const wire = splitWireTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  if (!wire || Buffer.compare(wire.message, messageToSign(row)) !== 0) {
    throw new ServiceFault('TRANSACTION_MISMATCH');
  }
  if (!isSignedBy(row.wallet, wire.message, wire.signature)) {
    throw new ServiceFault(
      'TRANSACTION_MISMATCH',
      'The signature is not the wallet’s signature over the prepared message.',
    );
  }
  return getBase58Decoder().decode(wire.signature) as Signature;
}

async function refuseExpired(service: Service, row: OperationRow): Promise<never> {
  await transition(service.db, { table: 'operation', id: row.id, from: 'DRAFT', to: 'EXPIRED' });
  throw new ServiceFault('DRAFT_EXPIRED');
}

/**
 * Queues the wallet's operation; returns null if it is no longer a draft, or no longer the one of the signed message.
 *
 * @throws ServiceFault SIGNED_OPERATION_PENDING
 */
async function queue(
  service: Service,
  row: OperationRow,
  signature: Signature,
): Promise<OperationRow | null> {
  const set = { signature, signed_at: BigInt(service.clock.now()) };
  // The draft can have adopted another message since its signature was checked.
  const where = sql<SqlBool>`adopted_message is not distinct from ${row.adopted_message}`;
  try {
    const isQueued = await transition(service.db, {
      table: 'operation',
      id: row.id,
      from: 'DRAFT',
      to: 'QUEUED',
      set,
      where,
    });
    return isQueued ? { ...row, ...set, state: 'QUEUED' } : null;
  } catch (error) {
    if (hasPending(error)) throw signedOperationPending();
    throw error;
  }
}

/** Returns whether an error is the violation of the index that allows one pending operation per wallet (SPEC.md section 3). */
function hasPending(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'operation_one_pending_per_wallet';
}

/** `POST /api/transactions/adopt`: replaces a draft's message with the signed one (SPEC.md section 4, prepare rule 4). */
import type { Operation } from '@service/contract';
import { adoptable } from '@service/protocol';
import { ServiceFault } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import { maxPriorityFeeOf } from '../settings.ts';
import { findOperation, operationRecordOf } from './record.ts';
import { assertSubmittable } from './submit.ts';

/**
 * Adopts the prepared message, to which the wallet added only guards and a compute budget. A draft adopts one message,
 * once; the same message again returns the draft.
 *
 * @throws ServiceFault NOT_FOUND, TRANSACTION_MISMATCH, DRAFT_EXPIRED, SIGNED_OPERATION_PENDING, PROTOCOL_PAUSED, or
 * INVALID_REQUEST if the wallet cannot pay
 */
export async function adopt(service: Service, input: RouteInput<'adopt'>): Promise<Operation> {
  const { body, wallet, signal } = input;
  const message = new Uint8Array(Buffer.from(body.message, 'base64'));
  const row = await findOperation(service, { id: body.operationId, wallet });
  if (row.adopted_message && Buffer.compare(row.adopted_message, message) === 0)
    return operationRecordOf(service, row);
  if (row.state === 'EXPIRED') throw new ServiceFault('DRAFT_EXPIRED');
  if (row.state !== 'DRAFT' || row.adopted_message) {
    throw new ServiceFault(
      'TRANSACTION_MISMATCH',
      'The operation already has another signed message. Wait until the operation ends before you prepare another one.',
    );
  }
  const limits = { guards: true, maxPriorityFeeLamports: maxPriorityFeeOf(service.settings) };
  const adoption = adoptable(row.message, message, { wallet, limits });
  if (!adoption.isAdoptable) {
    throw new ServiceFault(
      'TRANSACTION_MISMATCH',
      `The message cannot replace the prepared one: the wallet ${adoption.reason}.`,
    );
  }
  await assertSubmittable(service, { ...row, adopted_message: message }, signal);
  await service.db
    .updateTable('operation')
    .set({ adopted_message: message })
    .where('id', '=', row.id)
    .where('state', '=', 'DRAFT')
    .where('adopted_message', 'is', null)
    .execute();
  // Another request may have been faster, with this message or another one.
  return adopt(service, input);
}

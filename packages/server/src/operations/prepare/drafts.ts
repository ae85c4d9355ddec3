/** The messages of drafts. Drafts expire 90 seconds after they were prepared, or with their blockhash (SPEC.md sections 3 and 8). */
import {
  type ComputeBudget,
  MAX_TRANSACTION_BYTES,
  operationMessage,
  wireTransaction,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { confirmedHeight, latestBlockhash } from '../../chain-head/index.ts';
import type { OperationRow, Schema } from '../../database/schema.ts';
import { transition, transitionAll } from '../../database/transition.ts';
import { invalidRequest } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';

/** The parts of a draft's message. */
interface DraftOptions {
  readonly id: string;
  readonly wallet: Address;
  readonly instruction: Instruction;
  readonly budget?: Required<ComputeBudget> | undefined;
}

/** Builds the message with a new blockhash. @throws ServiceFault INVALID_REQUEST if it is too large for a transaction */
export async function draftMessage(
  service: Pick<Service, 'rpc' | 'shared'>,
  { id, wallet, instruction, budget }: DraftOptions,
) {
  const { context, value } = await latestBlockhash(service);
  const message = operationMessage({
    wallet,
    operationId: id,
    blockhash: value.blockhash,
    instruction,
    budget,
  });
  const bytes = wireTransaction(message).length;
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw invalidRequest(
      `The transaction would have ${bytes} bytes; the limit is ${MAX_TRANSACTION_BYTES}. Do less in one operation.`,
    );
  }
  return { message, last_valid_block_height: value.lastValidBlockHeight, draft_slot: context.slot };
}

/** Returns whether the confirmed block height is past the last one in which the draft can land. Throws the RPC's errors. */
export async function blockhashHasRunOut(service: Service, row: OperationRow): Promise<boolean> {
  return (await confirmedHeight(service)) > row.last_valid_block_height;
}

/** Returns whether the draft's 90 seconds have passed, by the service's clock. */
export function lifetimeHasPassed(service: Service, row: OperationRow): boolean {
  return BigInt(service.clock.now()) >= row.expires_at;
}

/** Moves a draft to EXPIRED if it has expired, and returns the current row. If the RPC does not answer, only the clock counts. */
export async function withDraftExpiry(service: Service, row: OperationRow): Promise<OperationRow> {
  if (row.state !== 'DRAFT') return row;
  const hasEnded =
    lifetimeHasPassed(service, row) || (await blockhashHasRunOut(service, row).catch(() => false));
  if (!hasEnded) return row;
  await transition(service.db, { table: 'operation', id: row.id, from: 'DRAFT', to: 'EXPIRED' });
  // Read the row again, because another request may have submitted the draft meanwhile.
  return service.db.selectFrom('operation').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
}

/** Drafts that one statement ends, because it keeps their locks until it ends. */
const BATCH = 500;

/** Moves all drafts that have expired to EXPIRED. Each statement reads only the expired ones, by an index. */
export async function expireDrafts(service: Service, signal: AbortSignal): Promise<void> {
  const { db } = service;
  const drafts = db.selectFrom('operation').where('state', '=', 'DRAFT');
  const lowest = await drafts
    .select('last_valid_block_height')
    .orderBy('last_valid_block_height')
    .limit(1)
    .executeTakeFirst();
  if (!lowest) return;
  const { eb } = expressionBuilder<Schema, 'operation'>();
  await expireAll(service, eb('expires_at', '<=', BigInt(service.clock.now())), signal);
  const height = await service.rpc.getBlockHeight({ commitment: 'confirmed' }).send({ abortSignal: signal });
  if (height > lowest.last_valid_block_height) {
    await expireAll(service, eb('last_valid_block_height', '<', height), signal);
  }
}

async function expireAll({ db }: Service, hasEnded: Expression<SqlBool>, signal: AbortSignal): Promise<void> {
  const { eb } = expressionBuilder<Schema, 'operation'>();
  for (let expired = BATCH; expired === BATCH && !signal.aborted; ) {
    const some = db
      .selectFrom('operation')
      .select('id')
      .where('state', '=', 'DRAFT')
      .where(hasEnded)
      .limit(BATCH)
      .forUpdate()
      .skipLocked();
    const ids = await transitionAll(db, {
      table: 'operation',
      from: 'DRAFT',
      to: 'EXPIRED',
      where: eb('id', 'in', some),
    });
    expired = ids.length;
  }
}

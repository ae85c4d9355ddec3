/** Drafts expire 90 seconds after they were prepared, or with their blockhash (SPEC.md sections 3 and 8). */
import { expressionBuilder } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { transition, transitionAll } from '../../database/transition.ts';
import type { Service } from '../../service.ts';
import type { OperationRow } from '../tables.ts';

/** Returns whether the confirmed block height is past the last one in which the draft can land. Throws the RPC's errors. */
export async function blockhashHasRunOut(
  service: Service,
  row: OperationRow,
  signal: AbortSignal,
): Promise<boolean> {
  const height = await service.rpc.getBlockHeight({ commitment: 'confirmed' }).send({ abortSignal: signal });
  return height > row.last_valid_block_height;
}

/** Returns whether the draft's 90 seconds have passed, by the service's clock. */
export function lifetimeHasPassed(service: Service, row: OperationRow): boolean {
  return BigInt(service.clock.now()) >= row.expires_at;
}

/** Moves a draft to EXPIRED if it has expired, and returns the current row. If the RPC does not answer, only the clock counts. */
export async function withDraftExpiry(
  service: Service,
  row: OperationRow,
  signal: AbortSignal,
): Promise<OperationRow> {
  if (row.state !== 'DRAFT') return row;
  const hasEnded =
    lifetimeHasPassed(service, row) || (await blockhashHasRunOut(service, row, signal).catch(() => false));
  if (!hasEnded) return row;
  await transition(service.db, { table: 'operation', id: row.id, from: 'DRAFT', to: 'EXPIRED' });
  // Read the row again, because another request may have submitted the draft meanwhile.
  return service.db.selectFrom('operation').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
}

/** Moves all drafts that have expired to EXPIRED. */
export async function expireDrafts(service: Service, signal: AbortSignal): Promise<void> {
  const drafts = await service.db
    .selectFrom('operation')
    .select(({ fn }) => fn.min('last_valid_block_height').as('lowest'))
    .where('state', '=', 'DRAFT')
    .executeTakeFirst();
  if (drafts?.lowest === undefined || drafts.lowest === null) return;
  const end = { table: 'operation', from: 'DRAFT', to: 'EXPIRED' } as const;
  const { eb } = expressionBuilder<Schema, 'operation'>();
  await transitionAll(service.db, { ...end, where: eb('expires_at', '<=', BigInt(service.clock.now())) });
  const height = await service.rpc.getBlockHeight({ commitment: 'confirmed' }).send({ abortSignal: signal });
  if (height > drafts.lowest) {
    await transitionAll(service.db, { ...end, where: eb('last_valid_block_height', '<', height) });
  }
}

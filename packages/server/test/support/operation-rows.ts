/** Rows of operations, without a chain. */
import type { OperationState } from '@service/contract';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';

/** The transitions from DRAFT to each state. */
export const PATHS: Record<OperationState, readonly OperationState[]> = {
  DRAFT: [],
  EXPIRED: ['EXPIRED'],
  QUEUED: ['QUEUED'],
  SUBMITTED: ['QUEUED', 'SUBMITTED'],
  UNRESOLVED: ['QUEUED', 'SUBMITTED', 'UNRESOLVED'],
  FINALIZED: ['QUEUED', 'SUBMITTED', 'FINALIZED'],
  FAILED: ['QUEUED', 'SUBMITTED', 'FAILED'],
};

/** Adds a draft with an id and, by default, its own wallet. Returns the id. */
export async function addDraft(db: Kysely<Schema>, id: string, wallet = id): Promise<string> {
  await db
    .insertInto('operation')
    .values({
      id,
      wallet: wallet as never,
      idempotency_key: id,
      request_hash: '',
      kind: 'PROVE',
      state: 'DRAFT',
      rule: null,
      message: new Uint8Array([1]),
      last_valid_block_height: 1n,
      draft_slot: 1n,
      created_at: 1n,
      expires_at: 2n,
    })
    .execute();
  return id;
}

/** Adds an operation and moves it to a state by allowed transitions. Returns its id. */
export async function addOperationIn(db: Kysely<Schema>, state: OperationState): Promise<string> {
  const id = await addDraft(db, `${state}-${Math.random()}`);
  for (const step of PATHS[state]) await forceState(db, id, step);
  return id;
}

/** Writes a state without `transition`, with the columns that the state needs. */
export async function forceState(
  db: Kysely<Schema>,
  id: string,
  to: OperationState,
  signature = id,
): Promise<void> {
  const isSigned = to !== 'DRAFT' && to !== 'EXPIRED';
  await sql`
    update operation set state = ${to},
      signature = case when ${isSigned} then coalesce(signature, ${signature}) end,
      signed_at = case when ${isSigned} then coalesce(signed_at, 1) end,
      slot = case when ${to === 'FINALIZED'} then 1 end,
      failure = case when ${to === 'FAILED'} then '{"reason": "NEVER_LANDED", "message": "It never landed."}'::jsonb end
    where id = ${id}`.execute(db);
}

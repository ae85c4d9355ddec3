/** The one way in which an operation changes its state (SPEC.md section 3). */
import type { OPERATION_TRANSITIONS, OperationState } from '@service/contract';
import type { Kysely, Updateable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { OperationTable } from './tables.ts';

/** States that one state can become, by the contract's table. */
export type StateAfter<From extends OperationState> = (typeof OPERATION_TRANSITIONS)[From][number];

/** What else changes with the state. */
export type OperationChanges = Pick<
  Updateable<OperationTable>,
  'signature' | 'signed_at' | 'slot' | 'failure'
>;

/** One transition. */
export interface Transition<From extends OperationState> {
  readonly id: string;
  readonly from: From;
  readonly to: StateAfter<From>;
  readonly set?: OperationChanges;
  /** The lease under which it happens: nothing changes once the lease is another's. */
  readonly owner?: string;
}

/**
 * Moves an operation from one state to another; false when it is not in that state any more, or not under that lease.
 * What the contract's table does not have neither compiles nor passes the database.
 */
export async function transition<From extends OperationState>(
  db: Kysely<Schema>,
  { id, from, to, set = {}, owner }: Transition<From>,
): Promise<boolean> {
  let update = updateState(db, { from, to, set }).where('id', '=', id);
  if (owner !== undefined) update = update.where('lease_owner', '=', owner);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** A transition of all operations of a state whose column is at most `upTo`. */
export interface TransitionOfAll<From extends OperationState> {
  readonly from: From;
  readonly to: StateAfter<From>;
  readonly column: 'expires_at' | 'last_valid_block_height';
  readonly upTo: bigint;
}

/** Moves every operation that is in one state and whose column is at most `upTo` to another. */
export async function transitionAll<From extends OperationState>(
  db: Kysely<Schema>,
  { from, to, column, upTo }: TransitionOfAll<From>,
): Promise<void> {
  await updateState(db, { from, to }).where(column, '<=', upTo).execute();
}

function updateState<From extends OperationState>(
  db: Kysely<Schema>,
  { from, to, set = {} }: Pick<Transition<From>, 'from' | 'to' | 'set'>,
) {
  // The type of the column takes no update, so that none is written elsewhere.
  const changes = { ...set, state: to } as Updateable<OperationTable>;
  return db.updateTable('operation').set(changes).where('state', '=', from);
}

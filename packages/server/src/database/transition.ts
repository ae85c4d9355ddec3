/** Changes the state of operations, verification sessions and revocations; nothing else does (SPEC.md section 3). */
import type {
  OPERATION_TRANSITIONS,
  REVOCATION_TRANSITIONS,
  VERIFICATION_TRANSITIONS,
} from '@service/contract';
import type { Expression, Kysely, SqlBool, Updateable } from 'kysely';
import type { OperationTable } from '../operations/tables.ts';
import type { Schema } from './schema.ts';

/** The contract's transitions of each table whose rows have a state. */
interface Transitions {
  readonly operation: typeof OPERATION_TRANSITIONS;
  readonly verification_session: typeof VERIFICATION_TRANSITIONS;
  readonly credential_revocation: typeof REVOCATION_TRANSITIONS;
}

/** A table whose rows have a state. */
export type StatefulTable = keyof Transitions;

/** The states of a table. */
export type StateOf<T extends StatefulTable> = keyof Transitions[T] & string;

/** States that one state can become, by the contract's table. */
export type StateAfter<
  T extends StatefulTable,
  From extends StateOf<T>,
> = Transitions[T][From] extends readonly (infer To extends string)[] ? To : never;

/** Other columns that change with the state. */
export type Changes<T extends StatefulTable> = {
  readonly [C in keyof Updateable<Schema[T]>]: Updateable<Schema[T]>[C] | Expression<unknown>;
};

interface Step<T extends StatefulTable, From extends StateOf<T>> {
  readonly table: T;
  readonly from: From;
  readonly to: StateAfter<T, From>;
  readonly set?: Changes<T>;
}

/** The transition of one row. */
export interface Transition<T extends StatefulTable, From extends StateOf<T>> extends Step<T, From> {
  readonly id: string;
  /** The owner of the lease. Nothing changes when another owner has the lease. */
  readonly owner?: string;
}

/**
 * Moves a row from one state to another. Returns false when the row has left that state, or has another lease. A transition
 * that is not in the contract's table does not compile, and the database rejects it.
 */
export async function transition<T extends StatefulTable, From extends StateOf<T>>(
  db: Kysely<Schema>,
  { id, owner, ...step }: Transition<T, From>,
): Promise<boolean> {
  let update = updateState(db, step).where('id', '=', id);
  if (owner !== undefined) update = update.where('lease_owner', '=', owner);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** The transition of all rows in one state that meet a condition. */
export interface TransitionOfAll<T extends StatefulTable, From extends StateOf<T>> extends Step<T, From> {
  readonly where: Expression<SqlBool>;
}

/** Moves every row that is in one state and meets the condition to another. */
export async function transitionAll<T extends StatefulTable, From extends StateOf<T>>(
  db: Kysely<Schema>,
  { where, ...step }: TransitionOfAll<T, From>,
): Promise<void> {
  await updateState(db, step).where(where).execute();
}

function updateState<T extends StatefulTable, From extends StateOf<T>>(
  db: Kysely<Schema>,
  { table, from, to, set }: Step<T, From>,
) {
  // The column types allow no update, so that nothing else writes a state. Every such table has these columns.
  const changes = { ...set, state: to } as Updateable<OperationTable>;
  return db
    .updateTable(table as 'operation')
    .set(changes)
    .where('state', '=', from as never);
}

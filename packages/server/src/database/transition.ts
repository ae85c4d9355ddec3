/** The one way in which an operation, a verification session or a revocation changes its state (SPEC.md section 3). */
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

/** What else changes with the state. */
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
  /** The lease under which it happens: nothing changes once the lease is another's. */
  readonly owner?: string;
}

/**
 * Moves a row from one state to another; false when it is not in that state any more, or not under that lease. What the
 * contract's table does not have neither compiles nor passes the database.
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
  // The columns' types take no update, so that no state is written elsewhere; those named here every such table has.
  const changes = { ...set, state: to } as Updateable<OperationTable>;
  return db
    .updateTable(table as 'operation')
    .set(changes)
    .where('state', '=', from as never);
}

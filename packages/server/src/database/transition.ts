/** Changes the state of operations, verification sessions and revocations. No other code does (SPEC.md section 3). */
import type {
  OPERATION_TRANSITIONS,
  OperationFailure,
  REVOCATION_TRANSITIONS,
  VERIFICATION_TRANSITIONS,
} from '@service/contract';
import { type Expression, type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import type { OperationTable, Schema } from './schema.ts';

/** The contract's transitions for each table whose rows have a state. */
interface Transitions {
  readonly operation: typeof OPERATION_TRANSITIONS;
  readonly verification_session: typeof VERIFICATION_TRANSITIONS;
  readonly credential_revocation: typeof REVOCATION_TRANSITIONS;
}

/** A table whose rows have a state. */
export type StatefulTable = keyof Transitions;

/** The states of a table. */
export type StateOf<T extends StatefulTable> = keyof Transitions[T] & string;

/** The states that can follow a state, by the contract's table. */
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

/**
 * Moves a row from one state to another. Returns false if the row is no longer in that state, or does not meet the condition.
 * A transition that the contract does not list does not compile, and the database rejects it.
 */
export async function transition<T extends StatefulTable, From extends StateOf<T>>(
  db: Kysely<Schema>,
  { id, where = sql`true`, ...step }: Step<T, From> & { id: string; where?: Expression<SqlBool> },
): Promise<boolean> {
  const moved = await transitionAll(db, { ...step, where: sql`id = ${id} and (${where})` });
  return moved.length === 1;
}

/** Moves every row in one state that meets the condition to another state. Returns their ids. */
export async function transitionAll<T extends StatefulTable, From extends StateOf<T>>(
  db: Kysely<Schema>,
  { table, from, to, set, where }: Step<T, From> & { where: Expression<SqlBool> },
): Promise<string[]> {
  // The column types forbid updates of a state elsewhere. Every such table has the columns used here.
  const changes = { ...set, state: to } as Updateable<OperationTable>;
  const rows = await db
    .updateTable(table as 'operation')
    .set(changes)
    .where('state', '=', from as never)
    .where(where)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** An operation that gets its final result. */
export interface FinalStep {
  readonly id: string;
  /** The owner of the row's lease. Nothing changes if the row has another owner. */
  readonly owner: string;
  readonly from: 'SUBMITTED' | 'UNRESOLVED';
  readonly to: StateAfter<'operation', 'SUBMITTED'> & StateAfter<'operation', 'UNRESOLVED'>;
  /** The finalized slot; null if the transaction never landed. */
  readonly slot: bigint | null;
  /** Why it failed; null after success. */
  readonly failure: OperationFailure | null;
}

/** Moves operations to their final states, in one statement. Returns the ids of those that moved. */
export async function finishOperations(db: Kysely<Schema>, steps: readonly FinalStep[]): Promise<string[]> {
  if (steps.length === 0) return [];
  const column = <T>(value: (step: FinalStep) => T) => steps.map(value);
  const { rows } = await sql<{ id: string }>`
    update operation set state = step.to_state, slot = step.slot, failure = step.failure::jsonb
    from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ owner }) => owner)}::text[],
      ${column(({ from }) => from)}::text[], ${column(({ to }) => to)}::text[],
      ${column(({ slot }) => slot?.toString() ?? null)}::bigint[],
      ${column(({ failure }) => failure && JSON.stringify(failure))}::text[]
    ) step (id, owner, from_state, to_state, slot, failure)
    where operation.id = step.id and lease_owner = step.owner and state = step.from_state
    returning operation.id`.execute(db);
  return rows.map(({ id }) => id);
}

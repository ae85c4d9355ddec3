/** Leases on rows. The rows are the queue, and a process leases a row while it works on it. */
import { randomUUID } from 'node:crypto';
import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { Schema } from './schema.ts';
import type { StatefulTable } from './transition.ts';

/** Milliseconds until a lease expires and another process may lease the row. */
export const LEASE_MS = 30_000;

/** A leased row. Every update of it names the owner, and changes nothing if another process leased the row since. */
export type Leased<Row> = Row & { readonly lease_owner: string };

interface LeaseOptions<T extends StatefulTable> {
  readonly table: T;
  readonly states: readonly string[];
  readonly now: number;
  readonly limit: number;
}

/** Leases rows in the given states that are due and free, for one new owner. Two processes never lease the same row. */
export async function takeLeases<T extends StatefulTable>(
  db: Kysely<Schema>,
  { table, states, now, limit }: LeaseOptions<T>,
): Promise<Leased<Selectable<Schema[T]>>[]> {
  const time = BigInt(now);
  const taken = await sql<Leased<Selectable<Schema[T]>>>`
    update ${sql.table(table)} set lease_owner = ${randomUUID()}, lease_until = ${time + BigInt(LEASE_MS)}
    where id in (
      select id from ${sql.table(table)}
      where state in (${sql.join(states)}) and (lease_until is null or lease_until <= ${time}) and due_at <= ${time}
      order by due_at, id
      limit ${limit}
      for update skip locked
    )
    returning *`.execute(db);
  return taken.rows;
}

/** Matches rows of one owner that are still under its lease. */
export function underLease(rows: readonly Leased<{ id: string }>[]): Expression<SqlBool> {
  const ids = rows.map(({ id }) => id);
  return sql`id = any(${ids}::text[]) and lease_owner = ${rows[0]?.lease_owner ?? null}`;
}

/** Rows whose leases one owner releases, and when each is due again in Unix milliseconds. */
export interface Released {
  readonly table: StatefulTable;
  readonly owner: string;
  readonly due: ReadonlyMap<string, number>;
}

/** Releases leases and sets when the rows are due again. Leaves out rows that another process leased since. */
export async function releaseLeases(db: Kysely<Schema>, { table, owner, due }: Released): Promise<void> {
  if (due.size === 0) return;
  await sql`
    update ${sql.table(table)} leased
    set lease_owner = null, lease_until = null, due_at = released.due_at
    from unnest(${[...due.keys()]}::text[], ${[...due.values()].map(String)}::bigint[]) released (id, due_at)
    where leased.id = released.id and lease_owner = ${owner}`.execute(db);
}

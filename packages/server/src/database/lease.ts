/** Leases on rows. The rows are the queue, and a process leases a row while it works on it. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Tables whose rows are leased. Each has `id` and `state` besides the lease columns. */
export type LeasedTable = 'operation' | 'verification_session' | 'credential_revocation';

/** Milliseconds until a lease expires and another process may lease the row. */
export const LEASE_MS = 30_000;

/** Leased rows. Every update of them names the owner, and changes nothing if another process leased the row since. */
export interface Leases {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Leases rows in the given states that are due and free. Two processes never lease the same row. */
export async function takeLeases(
  db: Kysely<Schema>,
  options: { table: LeasedTable; states: readonly string[]; now: number; limit: number },
): Promise<Leases> {
  const { table, states, limit } = options;
  const now = BigInt(options.now);
  const owner = randomUUID();
  const taken = await sql<{ id: string }>`
    update ${sql.table(table)} set lease_owner = ${owner}, lease_until = ${now + BigInt(LEASE_MS)}
    where id in (
      select id from ${sql.table(table)}
      where state in (${sql.join(states)}) and (lease_until is null or lease_until <= ${now}) and due_at <= ${now}
      order by due_at, id
      limit ${limit}
      for update skip locked
    )
    returning id`.execute(db);
  return { owner, ids: taken.rows.map(({ id }) => id) };
}

/** Rows whose leases one owner releases, and when each is due again in Unix milliseconds. */
export interface Released {
  readonly table: LeasedTable;
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

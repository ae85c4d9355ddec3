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

/** Releases a lease and sets when the row is due again. Does nothing if another process leased the row since. */
export async function releaseLease(
  db: Kysely<Schema>,
  options: { table: LeasedTable; id: string; owner: string; dueAt: number },
): Promise<void> {
  await sql`
    update ${sql.table(options.table)}
    set lease_owner = null, lease_until = null, due_at = ${BigInt(options.dueAt)}
    where id = ${options.id} and lease_owner = ${options.owner}`.execute(db);
}

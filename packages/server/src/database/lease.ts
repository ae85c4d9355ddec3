/** Leases: rows are the queue, and a process holds a row for a limited time while it works on it. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Tables whose rows are leased; each has `id` and `state` beside the lease columns. */
export type LeasedTable = 'operation' | 'verification_session' | 'credential_revocation';

/** Duration of a lease in milliseconds. Afterwards the row is free, even if its owner died. */
export const LEASE_MS = 30_000;

/** Leased rows. Every update of them names the owner, and changes nothing when another owner has the lease. */
export interface Leases {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Leases free rows that are due and in the given states. Two processes never lease the same row. */
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

/** Releases a lease and sets when the row is due next. Does nothing when another owner has the lease. */
export async function releaseLease(
  db: Kysely<Schema>,
  options: { table: LeasedTable; id: string; owner: string; dueAt: number },
): Promise<void> {
  await sql`
    update ${sql.table(options.table)}
    set lease_owner = null, lease_until = null, due_at = ${BigInt(options.dueAt)}
    where id = ${options.id} and lease_owner = ${options.owner}`.execute(db);
}

/** Leases: rows are the queue, and whoever works on one holds it for a while. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Tables whose rows are leased; each has `id` and `state` beside the lease columns. */
export type LeasedTable = 'operation' | 'verification_session' | 'credential_revocation';

/** Milliseconds for which a lease is held; after that the row is free, whatever became of its owner. */
export const LEASE_MS = 30_000;

/** What was taken. Every update of these rows names the owner, and changes nothing once the lease is another's. */
export interface Leases {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Takes leases on rows in the given states that want attention and that nobody holds. Several processes never take the same. */
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

/** Gives a lease back and says when the row wants attention next; does nothing when the lease is another's by now. */
export async function releaseLease(
  db: Kysely<Schema>,
  options: { table: LeasedTable; id: string; owner: string; dueAt: number },
): Promise<void> {
  await sql`
    update ${sql.table(options.table)}
    set lease_owner = null, lease_until = null, due_at = ${BigInt(options.dueAt)}
    where id = ${options.id} and lease_owner = ${options.owner}`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export const name = 'operations-2';

/** The index by which the sweeper finds drafts that expired long ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index operation_expired on operation (expires_at) where state = 'EXPIRED'`.execute(db);
}

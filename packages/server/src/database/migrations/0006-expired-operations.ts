import { type Kysely, sql } from 'kysely';

export const name = 'operations-2';

/** Creates an index for the sweeper of expired drafts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index operation_expired on operation (expires_at) where state = 'EXPIRED'`.execute(db);
}

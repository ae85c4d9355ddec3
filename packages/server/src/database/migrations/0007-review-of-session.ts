/** When a verifier first reported that it reviews the person of a session, so that the session waits longer. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table verification_session add column pending_at bigint`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export const name = 'verification-delivery-age-1';

/** Creates indexes to find old webhook messages and the messages of a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_delivery_received_at on webhook_delivery (received_at)`.execute(db);
  await sql`create index webhook_delivery_session on webhook_delivery (session_id)`.execute(db);
}

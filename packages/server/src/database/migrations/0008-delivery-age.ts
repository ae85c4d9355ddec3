import { type Kysely, sql } from 'kysely';

export const name = 'verification-delivery-age-1';

/** The indexes by which the sweeper finds webhook messages that are old, and those of a session are found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_delivery_received_at on webhook_delivery (received_at)`.execute(db);
  await sql`create index webhook_delivery_session on webhook_delivery (session_id)`.execute(db);
}

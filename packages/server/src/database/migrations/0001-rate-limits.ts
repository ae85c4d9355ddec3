import { type Kysely, sql } from 'kysely';

export const name = 'http-1';

/** The counters of the rate limits, in the columns that the limiter writes; `expire` reads as a number, which it reckons with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limit (
      key text primary key,
      points integer not null default 0,
      expire double precision
    )`.execute(db);
}

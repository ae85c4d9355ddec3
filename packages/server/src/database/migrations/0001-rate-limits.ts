import { type Kysely, sql } from 'kysely';

export const name = 'http-1';

/** Creates the counters of the rate limiter, with the columns that it writes. It needs `expire` as a number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limit (
      key text primary key,
      points integer not null default 0,
      expire double precision
    )`.execute(db);
}

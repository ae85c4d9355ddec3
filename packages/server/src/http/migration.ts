import { type Kysely, sql } from 'kysely';
import { RATE_LIMIT_TABLE } from './rate-limits.ts';

export const name = 'http-1';

/** The counters of the rate limits, in the columns that the limiter writes; `expire` reads as a number, which it reckons with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ${sql.table(RATE_LIMIT_TABLE)} (
      key text primary key,
      points integer not null default 0,
      expire double precision
    )`.execute(db);
}

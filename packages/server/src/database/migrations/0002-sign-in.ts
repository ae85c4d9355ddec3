import { type Kysely, sql } from 'kysely';

export const name = 'auth-1';

/** Creates challenges and sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table challenge (
      id text primary key,
      wallet text not null,
      message text not null,
      expires_at bigint not null
    )`.execute(db);
  await sql`create index challenge_expires_at on challenge (expires_at)`.execute(db);
  await sql`
    create table session (
      token_hash text primary key,
      wallet text not null,
      created_at bigint not null,
      expires_at bigint not null
    )`.execute(db);
  await sql`create index session_expires_at on session (expires_at)`.execute(db);
}

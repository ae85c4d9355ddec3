import { type Kysely, sql } from 'kysely';

export const name = '0015-pass-issue-times';

/**
 * Adds the time of issue of a pass, because governance can end the passes that were issued before a time. Empties the
 * index, whose Config has another layout. The server then reads all accounts of the program again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table indexed_account add column issued_at bigint`.execute(db);
  await sql`delete from indexed_account`.execute(db);
  await sql`delete from indexed_signature`.execute(db);
  await sql`delete from index_position`.execute(db);
}

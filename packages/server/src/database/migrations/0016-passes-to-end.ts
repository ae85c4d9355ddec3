import { type Kysely, sql } from 'kysely';

export const name = '0016-passes-to-end';

/**
 * Adds what a pass depends on, so that the passes that have lost it are a query. Empties the index: the server then reads
 * all accounts of the program again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table indexed_account
      add column verifier text,
      add column circuit text,
      add column commitment bytea,
      add column is_void boolean`.execute(db);
  await sql`delete from indexed_account`.execute(db);
  await sql`delete from indexed_signature`.execute(db);
  await sql`delete from index_position`.execute(db);
}

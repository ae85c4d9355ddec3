import { type Kysely, sql } from 'kysely';

export const name = '0014-pass-fees';

/**
 * Adds the pass fees that a rule set still holds for the treasury, so that their sum is a query. Empties the index, whose
 * accounts have the layout without reserved bytes. The server then reads all accounts of the program again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table indexed_account add column fees bigint`.execute(db);
  await sql`delete from indexed_account`.execute(db);
  await sql`delete from indexed_signature`.execute(db);
  await sql`delete from index_position`.execute(db);
}

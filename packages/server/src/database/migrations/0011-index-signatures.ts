import { type Kysely, sql } from 'kysely';

export const name = 'index-signatures';

/** Creates the signatures whose changes are in the index, because a node may list a signature late. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table index_position add column settled_slot bigint`.execute(db);
  await sql`update index_position set settled_slot = slot`.execute(db);
  await sql`alter table index_position alter column settled_slot set not null`.execute(db);
  await sql`
    create table indexed_signature (
      signature text primary key,
      slot bigint not null
    )`.execute(db);
}

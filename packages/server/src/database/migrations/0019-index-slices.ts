import { type Kysely, sql } from 'kysely';

export const name = '0019-index-slices';

/**
 * Adds the progress of a reading of all accounts, which takes many steps if there are many accounts. Creates indexes for the
 * slices of passes and credentials: those whose wallet begins with a given byte.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table index_position
      add column next_slice integer not null default 0,
      add column slices_left integer not null default 0,
      add column target_slot bigint,
      add column target_time bigint,
      add column target_signature text,
      add constraint index_position_target check (
        (slices_left > 0) = (target_slot is not null) and (slices_left > 0) = (target_time is not null)
      )`.execute(db);
  await sql`
    create index indexed_account_pass_slice on indexed_account (get_byte(data, 35)) where kind = 'pass'`.execute(
    db,
  );
  await sql`
    create index indexed_account_credential_slice on indexed_account (get_byte(data, 3))
    where kind = 'credential'`.execute(db);
}

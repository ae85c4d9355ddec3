import { type Kysely, sql } from 'kysely';

export const name = 'index-1';

/** Creates the accounts of the program and the position of the index. Addresses sort by byte in every locale. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table indexed_account (
      address text collate "C" primary key,
      kind text not null,
      wallet text,
      rule text,
      mint text,
      expires_at bigint,
      data bytea not null,
      lamports bigint not null,
      slot bigint not null
    )`.execute(db);
  await sql`create index indexed_account_kind on indexed_account (kind, address)`.execute(db);
  await sql`create index indexed_account_wallet on indexed_account (wallet, kind)`.execute(db);
  await sql`create index indexed_account_rule on indexed_account (rule, kind, expires_at)`.execute(db);
  await sql`
    create table index_position (
      id smallint primary key check (id = 1),
      slot bigint not null,
      time bigint not null,
      read_slot bigint not null,
      signature text,
      reconciled_at bigint not null
    )`.execute(db);
}

/** The wallets whose token accounts of gated mints the keeper checks, the queue of these mints, and what the keeper paid. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gated_holder (
      mint text not null,
      wallet text not null,
      due_at bigint not null default 0,
      attempts integer not null default 0,
      checked_time bigint,
      checked_gate bigint,
      checked_pass bigint,
      primary key (mint, wallet)
    )`.execute(db);
  await sql`
    create table gated_mint (
      mint text primary key,
      place bigserial not null
    )`.execute(db);
  await sql`
    create table keeper_payment (
      day bigint not null,
      purpose text not null,
      lamports bigint not null check (lamports > 0),
      primary key (day, purpose)
    )`.execute(db);
  await sql`create index indexed_account_gate on indexed_account (mint) where kind = 'freezeList'`.execute(
    db,
  );
  // A pass without a circuit was granted, or opened by a suspension.
  await sql`
    create index indexed_account_unproved on indexed_account (address)
    where kind = 'pass' and circuit = '11111111111111111111111111111111'`.execute(db);
}

/** The welcome payments that were reserved. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table welcome_payment (
      wallet text primary key,
      session_id text not null references verification_session (id),
      lamports bigint not null check (lamports > 0),
      reserved_at bigint not null
    )`.execute(db);
  await sql`create index welcome_payment_reserved_at on welcome_payment (reserved_at)`.execute(db);
  await sql`
    create function welcome_payment_unchanged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.wallet is distinct from old.wallet then
        raise exception 'the wallet of a welcome payment cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger welcome_payment_unchanged before update or delete on welcome_payment
    for each row execute function welcome_payment_unchanged()`.execute(db);
}

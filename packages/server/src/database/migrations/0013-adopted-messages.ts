import { type Kysely, sql } from 'kysely';

export const name = '0013-adopted-messages';

/** Adds the message that a wallet signed in place of the prepared one. A draft takes one, once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operation add column adopted_message bytea`.execute(db);
  await sql`
    create function operation_adopted() returns trigger language plpgsql as $$
    begin
      if new.adopted_message is distinct from old.adopted_message
        and (old.adopted_message is not null or old.state <> 'DRAFT' or new.state <> 'DRAFT') then
        raise exception 'only a draft adopts a message, once' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger operation_adopted before update on operation
    for each row execute function operation_adopted()`.execute(db);
}

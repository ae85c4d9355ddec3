import { type Kysely, sql } from 'kysely';

export const name = '0020-event-progress';

/**
 * Makes the id of a new event depend only on its cause, so that an event that is written again after a restore has the same
 * id. Adds the progress of the events of passes that governance ended, which are written in batches.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function event_id() returns trigger language plpgsql as $$
    begin
      new.id := 'evt_' || left(encode(sha256(new.cause::bytea), 'hex'), 32);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger event_id before insert on event for each row execute function event_id()`.execute(db);
  await sql`alter table event alter column id drop default`.execute(db);
  await inheritRetries(db);
  await sql`alter table index_position add column ended_until bigint, add column ending_after text`.execute(
    db,
  );
}

/**
 * Replaces the function that gives positions. An event that comes while its wallet waits for a retry is due no earlier than
 * that retry. If a delivery holds the row, it is due at once: a delivery makes the next event due, and must not miss this one.
 */
async function inheritRetries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function event_position() returns trigger language plpgsql as $$
    declare
      retry_at bigint;
    begin
      perform pg_advisory_xact_lock(7219384655103);
      select due_at into retry_at from event
        where wallet = new.wallet and delivered_at is null and position is not null
        order by position desc limit 1;
      if retry_at > 0 then
        select due_at into retry_at from event
          where wallet = new.wallet and delivered_at is null and position is not null
          order by position desc limit 1 for share skip locked;
      end if;
      update event set position = nextval('event_position'), due_at = coalesce(retry_at, 0) where id = new.id;
      return null;
    end $$`.execute(db);
}

/**
 * An event that waits for an earlier one of its wallet is never due, so that a delivery does not look at it. Before, a wallet
 * with thousands of waiting events slowed the deliveries of all wallets.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // If the wallet's last event cannot be locked, a delivery may be recording that it was accepted. That delivery does not see
  // the new event, so the event is due at once. Otherwise the lock lets the delivery wait for the new event.
  sql`
    create or replace function event_position() returns trigger language plpgsql as $$
    declare
      earlier text;
    begin
      perform pg_advisory_xact_lock(7219384655103);
      select id into earlier from event
        where wallet = new.wallet and delivered_at is null and position is not null
        order by position desc limit 1 for share skip locked;
      update event set position = nextval('event_position'),
        due_at = case when earlier is null then 0 else 9223372036854775807 end
      where id = new.id;
      return null;
    end $$`,
  // Changes of one wallet take turns here until they commit. Otherwise each of two could take the event that the other one removes
  // for the first that waits, and the next event would be due never.
  sql`
    create function event_next() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(old.wallet, 7219384655103));
      update event set due_at = 0
      where due_at = 9223372036854775807 and id = (
        select id from event where wallet = old.wallet and delivered_at is null order by position limit 1
      );
      return null;
    end $$`,
  sql`
    create trigger event_next after update of delivered_at on event for each row
    when (old.delivered_at is distinct from new.delivered_at) execute function event_next()`,
  sql`
    create trigger event_next_of_deleted after delete on event for each row
    when (old.delivered_at is null) execute function event_next()`,
  sql`
    update event set due_at = 9223372036854775807
    where delivered_at is null and exists (
      select from event earlier
      where earlier.wallet = event.wallet and earlier.delivered_at is null and earlier.position < event.position
    )`,
];

/** Applies the migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}

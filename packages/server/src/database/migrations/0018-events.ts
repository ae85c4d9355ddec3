import { type Kysely, sql } from 'kysely';

export const name = '0018-events';

/**
 * Creates the events: a row for each, in the transaction of what it is about. Positions are in the order of commits, so that
 * a reader that has seen a position never misses a lower one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence event_position as bigint`.execute(db);
  await sql`
    create table event (
      id text primary key default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
      position bigint unique,
      wallet text not null,
      type text not null,
      cause text not null unique,
      data jsonb not null,
      created_at bigint not null default floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
      delivered_at bigint,
      attempts integer not null default 0,
      lease_owner text,
      lease_until bigint,
      due_at bigint not null default 0
    )`.execute(db);
  await sql`create index event_waiting on event (wallet, position) where delivered_at is null`.execute(db);
  await sql`create index event_due on event (due_at, position) where delivered_at is null`.execute(db);
  await sql`create index event_wallet on event (wallet, position)`.execute(db);
  await sql`create index event_age on event (created_at)`.execute(db);
  await sql`
    create index indexed_account_pass_notice on indexed_account
      ((expires_at - least(86400, (expires_at - issued_at) / 2))) where kind = 'pass'`.execute(db);
  await givePositions(db);
  await recordFinalOperations(db);
}

/**
 * Creates a trigger that gives a position at the commit. The lock makes commits of events take turns, and PostgreSQL shows a
 * commit before it releases the lock. The trigger is deferred, so that no client can hold the lock between two statements.
 */
async function givePositions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function event_position() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7219384655103);
      update event set position = nextval('event_position') where id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger event_position after insert on event deferrable initially deferred
    for each row execute function event_position()`.execute(db);
}

/** Creates a trigger: an operation that reaches a final result also writes its event, whatever statement moved it. */
async function recordFinalOperations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function operation_event() returns trigger language plpgsql as $$
    begin
      insert into event (wallet, type, cause, data) values (
        new.wallet,
        'operation.' || lower(new.state),
        'operation:' || new.id,
        jsonb_strip_nulls(jsonb_build_object(
          'operationId', new.id, 'kind', new.kind, 'state', new.state, 'rule', new.rule,
          'signature', new.signature, 'slot', new.slot::text, 'failure', new.failure))
      );
      return null;
    end $$`.execute(db);
  await sql`
    create trigger operation_event after update on operation for each row
    when (new.state is distinct from old.state and new.state in ('FINALIZED', 'FAILED'))
    execute function operation_event()`.execute(db);
}

/** The tables of release 0.1.0. No column has an attribute of a person, a witness, or a secret key. */
import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Creates all tables with their indexes, and the trigger that keeps the audit trail as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}

const STATEMENTS: readonly RawBuilder<unknown>[] = [
  sql`
    create table deployment (
      id smallint primary key check (id = 1),
      program text not null,
      genesis_hash text not null,
      authority text not null
    )`,
  sql`
    create table person_check (
      id text primary key,
      provider text not null,
      provider_id text not null,
      page_url text not null,
      browser_hash text not null,
      state text not null check (state in ('pending', 'approved', 'declined', 'retry')),
      is_signed boolean not null default false,
      is_submitted boolean not null default false,
      person_hash text,
      decided_at bigint not null,
      created_at bigint not null,
      due_at bigint,
      unique (provider, provider_id)
    )`,
  sql`create index person_check_due_at on person_check (due_at) where due_at is not null`,
  sql`create index person_check_person on person_check (person_hash) where person_hash is not null`,
  sql`create index person_check_browser on person_check (browser_hash)`,
  sql`
    create table session (
      id text primary key,
      token_hash text not null unique,
      phone_token_hash text not null unique,
      wallet text not null,
      return_url text not null,
      site_origin text not null,
      webhook_url text not null,
      expires_at bigint not null,
      created_at bigint not null,
      state text not null check (state in ('OPEN', 'SIGNING', 'REPORTED', 'FAILED')),
      signing_until bigint,
      browser_hash text,
      check_id text references person_check (id),
      is_pending_reported boolean not null default false
    )`,
  sql`create index session_check on session (check_id)`,
  sql`create index session_created_at on session (created_at)`,
  sql`
    create table signed_time (
      wallet text primary key,
      seconds bigint not null
    )`,
  sql`
    create table credential (
      commitment text primary key,
      wallet text not null,
      session_id text not null references session (id),
      check_id text not null references person_check (id),
      issued_at bigint not null,
      expires_at bigint not null,
      state text not null check (state in ('SIGNED', 'ACCEPTED', 'REJECTED')),
      revoked_at bigint
    )`,
  sql`create index credential_check on credential (check_id)`,
  sql`create index credential_session on credential (session_id)`,
  sql`
    create table message (
      id text primary key,
      session_id text not null references session (id),
      type text not null,
      wallet text not null,
      created_at bigint not null,
      due_at bigint,
      attempts integer not null default 0,
      revoked_at bigint,
      signature text
    )`,
  sql`create index message_due_at on message (due_at) where due_at is not null`,
  sql`create index message_session on message (session_id)`,
  sql`
    create table audit (
      number bigint primary key,
      entry text not null,
      hash text not null
    )`,
  sql`
    create function keep_audit() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit trail is append-only';
    end $$`,
  sql`
    create trigger keep_audit before update or delete or truncate on audit
    for each statement execute function keep_audit()`,
];

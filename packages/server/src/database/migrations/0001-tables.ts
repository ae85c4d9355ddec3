/** The tables of release 0.1.0. */
import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Creates all tables with their indexes, and the triggers that guard them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    ...SERVICE,
    ...OPERATIONS,
    ...VERIFICATION,
    ...INDEX,
    ...EVENTS,
    ...STATES,
    ...UNCHANGED,
  ]) {
    await statement.execute(db);
  }
}

type Statements = readonly RawBuilder<unknown>[];

/** The deployment that the database belongs to, sign-in, and the counters of the rate limiter, which needs `expire` as a number. */
const SERVICE: Statements = [
  sql`
    create table deployment (
      id smallint primary key check (id = 1),
      program text not null,
      genesis_hash text not null
    )`,
  sql`
    create table rate_limit (
      key text primary key,
      points integer not null default 0,
      expire double precision
    )`,
  sql`
    create table challenge (
      id text primary key,
      wallet text not null,
      message text not null,
      expires_at bigint not null
    )`,
  sql`create index challenge_expires_at on challenge (expires_at)`,
  sql`
    create table session (
      token_hash text primary key,
      wallet text not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
  sql`create index session_expires_at on session (expires_at)`,
];

const OPERATIONS: Statements = [
  sql`
    create table operation (
      id text primary key,
      wallet text not null,
      idempotency_key text not null,
      request_hash text not null,
      kind text not null check (kind in ('CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER')),
      state text not null check (state in
        ('DRAFT', 'EXPIRED', 'QUEUED', 'SUBMITTED', 'UNRESOLVED', 'FINALIZED', 'FAILED')),
      rule text check ((rule is not null) = (kind = 'CREATE_RULE_SET')),
      message bytea not null,
      adopted_message bytea,
      last_valid_block_height bigint not null,
      draft_slot bigint not null,
      created_at bigint not null,
      expires_at bigint not null,
      signature text unique check ((signature is null) = (state in ('DRAFT', 'EXPIRED'))),
      signed_at bigint check ((signed_at is null) = (signature is null)),
      answered_at bigint,
      absent_since bigint,
      absent_rpc integer,
      slot bigint check (slot is not null or state <> 'FINALIZED'),
      failure jsonb check ((failure is not null) = (state = 'FAILED')),
      lease_owner text,
      lease_until bigint,
      due_at bigint not null default 0
    )`,
  sql`create unique index operation_one_per_key on operation (wallet, idempotency_key)`,
  sql`
    create unique index operation_one_pending_per_wallet on operation (wallet)
    where state in ('QUEUED', 'SUBMITTED', 'UNRESOLVED')`,
  sql`
    create index operation_queue on operation (due_at)
    where state in ('QUEUED', 'SUBMITTED', 'UNRESOLVED')`,
  sql`create index operation_drafts on operation (expires_at) where state = 'DRAFT'`,
  sql`create index operation_draft_heights on operation (last_valid_block_height) where state = 'DRAFT'`,
  sql`create index operation_expired on operation (expires_at) where state = 'EXPIRED'`,
];

/** Verification sessions and revocations, which are also the queues of the issuer, and processed webhook messages. */
const VERIFICATION: Statements = [
  sql`
    create table verification_session (
      id text primary key,
      wallet text not null,
      state text not null check (state in ('STARTED', 'ISSUING', 'ISSUED', 'FAILED')),
      created_at bigint not null,
      expires_at bigint not null,
      failure text,
      verifier_authority text,
      commitment bytea,
      issued_at bigint,
      credential_expires_at bigint,
      signature bytea,
      sent_transaction bytea,
      sent_signature text,
      sent_last_valid bigint,
      attempts integer not null default 0,
      last_error text,
      lease_owner text,
      lease_until bigint,
      due_at bigint not null default 0,
      check (state in ('STARTED', 'FAILED') or (verifier_authority is not null and commitment is not null
        and issued_at is not null and credential_expires_at is not null and signature is not null))
    )`,
  sql`create index verification_session_due on verification_session (due_at) where state = 'ISSUING'`,
  sql`create index verification_session_open on verification_session (expires_at) where state = 'STARTED'`,
  sql`create index verification_session_wallet on verification_session (wallet, created_at)`,
  sql`
    create table credential_revocation (
      id text primary key,
      wallet text not null,
      verifier_authority text not null,
      state text not null default 'REVOKING' check (state in ('REVOKING', 'WATCHING', 'SETTLED')),
      revoked_at bigint not null,
      signature bytea not null,
      seen_slot bigint not null default -1,
      sent_transaction bytea,
      sent_signature text,
      sent_last_valid bigint,
      attempts integer not null default 0,
      last_error text,
      lease_owner text,
      lease_until bigint,
      due_at bigint not null default 0,
      unique (wallet, verifier_authority)
    )`,
  sql`create index credential_revocation_due on credential_revocation (due_at) where state = 'REVOKING'`,
  sql`create index credential_revocation_watching on credential_revocation (wallet) where state = 'WATCHING'`,
  sql`
    create table webhook_delivery (
      id text primary key,
      type text not null,
      session_id text not null references verification_session (id),
      received_at bigint not null,
      digest bytea not null
    )`,
  sql`create index webhook_delivery_received_at on webhook_delivery (received_at)`,
  sql`create index webhook_delivery_session on webhook_delivery (session_id)`,
];

/** The accounts of the program and the position of the index. Addresses sort by byte in every locale. */
const INDEX: Statements = [
  sql`
    create table indexed_account (
      address text collate "C" primary key,
      kind text not null,
      wallet text,
      rule text,
      mint text,
      fees bigint,
      issued_at bigint,
      expires_at bigint,
      verifier text,
      circuit text,
      commitment bytea,
      is_void boolean,
      data bytea not null,
      lamports bigint not null,
      slot bigint not null
    )`,
  sql`create index indexed_account_kind on indexed_account (kind, address)`,
  sql`create index indexed_account_wallet on indexed_account (wallet, kind)`,
  sql`create index indexed_account_rule on indexed_account (rule, kind, expires_at)`,
  sql`
    create index indexed_account_pass_notice on indexed_account
      ((expires_at - least(86400, (expires_at - issued_at) / 2))) where kind = 'pass'`,
  // The slices of passes and credentials: those whose wallet begins with a given byte.
  sql`create index indexed_account_pass_slice on indexed_account (get_byte(data, 35)) where kind = 'pass'`,
  sql`
    create index indexed_account_credential_slice on indexed_account (get_byte(data, 3))
    where kind = 'credential'`,
  sql`
    create table index_position (
      id smallint primary key check (id = 1),
      slot bigint not null,
      time bigint not null,
      read_slot bigint not null,
      signature text,
      settled_slot bigint not null,
      reconciled_at bigint not null,
      next_slice integer not null default 0,
      slices_left integer not null default 0,
      target_slot bigint,
      target_time bigint,
      target_signature text,
      ended_until bigint,
      ending_after text,
      constraint index_position_target check (
        (slices_left > 0) = (target_slot is not null) and (slices_left > 0) = (target_time is not null)
      )
    )`,
  // A node may list a signature late, so the index keeps those whose changes it has.
  sql`
    create table indexed_signature (
      signature text primary key,
      slot bigint not null
    )`,
];

/** The events: a row for each, in the transaction of what it is about. */
const EVENTS: Statements = [
  sql`create sequence event_position as bigint`,
  sql`
    create table event (
      id text primary key,
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
    )`,
  sql`create index event_waiting on event (wallet, position) where delivered_at is null`,
  sql`create index event_due on event (due_at, position) where delivered_at is null`,
  sql`create index event_age on event (created_at)`,
  // The id depends only on the cause, so that an event that is written again after a restore has the same id.
  sql`
    create function event_id() returns trigger language plpgsql as $$
    begin
      new.id := 'evt_' || left(encode(sha256(new.cause::bytea), 'hex'), 32);
      return new;
    end $$`,
  sql`create trigger event_id before insert on event for each row execute function event_id()`,
  // Positions are in the order of commits: the lock makes commits of events take turns, and PostgreSQL shows a commit before
  // it releases the lock. The trigger is deferred, so that no client can hold the lock between two statements.
  // An event that comes while its wallet waits for a retry is due no earlier than that retry. If a delivery holds the row, the
  // event is due at once: a delivery makes the next event due, and must not miss this one.
  sql`
    create function event_position() returns trigger language plpgsql as $$
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
    end $$`,
  sql`
    create constraint trigger event_position after insert on event deferrable initially deferred
    for each row execute function event_position()`,
  // An operation that reaches a final result also writes its event, whatever statement moved it.
  sql`
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
    end $$`,
  sql`
    create trigger operation_event after update on operation for each row
    when (new.state is distinct from old.state and new.state in ('FINALIZED', 'FAILED'))
    execute function operation_event()`,
];

/**
 * The transitions of the contract as rows, and triggers that reject every other change of a state. If the contract's
 * transitions change, add a migration that inserts or deletes rows. A test compares the two.
 */
const STATES: Statements = [
  sql`
    create table state_transition (
      entity text not null,
      from_state text not null,
      to_state text not null,
      primary key (entity, from_state, to_state)
    )`,
  sql`
    insert into state_transition (entity, from_state, to_state) values
      ('operation', 'DRAFT', 'EXPIRED'),
      ('operation', 'DRAFT', 'QUEUED'),
      ('operation', 'QUEUED', 'SUBMITTED'),
      ('operation', 'SUBMITTED', 'FINALIZED'),
      ('operation', 'SUBMITTED', 'FAILED'),
      ('operation', 'SUBMITTED', 'UNRESOLVED'),
      ('operation', 'UNRESOLVED', 'FINALIZED'),
      ('operation', 'UNRESOLVED', 'FAILED'),
      ('verification_session', 'STARTED', 'ISSUING'),
      ('verification_session', 'STARTED', 'FAILED'),
      ('verification_session', 'ISSUING', 'ISSUED'),
      ('verification_session', 'ISSUING', 'FAILED'),
      ('credential_revocation', 'REVOKING', 'WATCHING'),
      ('credential_revocation', 'REVOKING', 'SETTLED'),
      ('credential_revocation', 'WATCHING', 'REVOKING'),
      ('credential_revocation', 'SETTLED', 'REVOKING')`,
  sql`
    create function state_guard() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.state is distinct from tg_argv[0] then
          raise exception '% begins as %, not as %', tg_table_name, tg_argv[0], new.state
            using errcode = 'check_violation';
        end if;
      elsif new.state is distinct from old.state and not exists (
        select from state_transition
        where entity = tg_table_name and from_state = old.state and to_state = new.state
      ) then
        raise exception '% state % cannot become %', tg_table_name, old.state, new.state
          using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  // Triggers fire in the order of their names, so these come before those of UNCHANGED.
  sql`
    create trigger operation_state before insert or update on operation
    for each row execute function state_guard('DRAFT')`,
  sql`
    create trigger verification_session_state before insert or update on verification_session
    for each row execute function state_guard('STARTED')`,
  sql`
    create trigger credential_revocation_state before insert or update on credential_revocation
    for each row execute function state_guard('REVOKING')`,
];

/** Triggers: which columns never change in which state, and which rows may be deleted. */
const UNCHANGED: Statements = [
  sql`
    create function operation_unchanged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.state <> 'EXPIRED' then
          raise exception 'only an expired draft may be deleted' using errcode = 'check_violation';
        end if;
        return old;
      end if;
      if (new.id, new.wallet, new.idempotency_key, new.request_hash, new.kind, new.rule, new.message,
          new.last_valid_block_height, new.draft_slot, new.created_at, new.expires_at)
        is distinct from
        (old.id, old.wallet, old.idempotency_key, old.request_hash, old.kind, old.rule, old.message,
          old.last_valid_block_height, old.draft_slot, old.created_at, old.expires_at)
      then
        raise exception 'what was prepared cannot change' using errcode = 'check_violation';
      end if;
      if new.adopted_message is distinct from old.adopted_message
        and (old.adopted_message is not null or old.state <> 'DRAFT' or new.state <> 'DRAFT') then
        raise exception 'only a draft adopts a message, once' using errcode = 'check_violation';
      end if;
      if old.signature is not null
        and (new.signature, new.signed_at) is distinct from (old.signature, old.signed_at) then
        raise exception 'the signature of an operation cannot change' using errcode = 'check_violation';
      end if;
      if old.state in ('EXPIRED', 'FINALIZED', 'FAILED')
        and (new.slot, new.failure) is distinct from (old.slot, old.failure) then
        raise exception 'the outcome of an operation cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  sql`
    create trigger operation_unchanged before update or delete on operation
    for each row execute function operation_unchanged()`,
  sql`
    create function verification_session_unchanged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.state <> 'STARTED' then
          raise exception 'only a verification session of which nothing came may be deleted'
            using errcode = 'check_violation';
        end if;
        return old;
      end if;
      if (new.id, new.wallet, new.created_at, new.expires_at)
        is distinct from (old.id, old.wallet, old.created_at, old.expires_at) then
        raise exception 'whose verification session it is cannot change' using errcode = 'check_violation';
      end if;
      if old.state <> 'STARTED'
        and (new.verifier_authority, new.commitment, new.issued_at, new.credential_expires_at, new.signature)
        is distinct from
        (old.verifier_authority, old.commitment, old.issued_at, old.credential_expires_at, old.signature)
      then
        raise exception 'the credential of a verification session cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  sql`
    create trigger verification_session_unchanged before update or delete on verification_session
    for each row execute function verification_session_unchanged()`,
  sql`
    create function credential_revocation_unchanged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        raise exception 'a revocation may not be deleted' using errcode = 'check_violation';
      end if;
      if (new.id, new.wallet, new.verifier_authority) is distinct from (old.id, old.wallet, old.verifier_authority) then
        raise exception 'whose revocation it is cannot change' using errcode = 'check_violation';
      end if;
      if new.revoked_at < old.revoked_at
        or (new.revoked_at = old.revoked_at and new.signature is distinct from old.signature) then
        raise exception 'a revocation changes only to a later time' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  sql`
    create trigger credential_revocation_unchanged before update or delete on credential_revocation
    for each row execute function credential_revocation_unchanged()`,
];

import { type Kysely, sql } from 'kysely';

export const name = 'guard-1';

/**
 * Creates the transitions of operations and verification sessions as rows, and triggers that reject every other change of
 * state. If the contract's transitions change, add a migration that inserts or deletes rows. A test compares the two.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table state_transition (
      entity text not null,
      from_state text not null,
      to_state text not null,
      primary key (entity, from_state, to_state)
    )`.execute(db);
  await sql`
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
      ('verification_session', 'ISSUING', 'FAILED')`.execute(db);
  await guardStates(db);
  await guardOperations(db);
  await guardVerificationSessions(db);
}

/** Creates triggers: a row begins in the given state and changes by the table of transitions. They fire first, by name. */
async function guardStates(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    end $$`.execute(db);
  await sql`
    create trigger operation_state before insert or update on operation
    for each row execute function state_guard('DRAFT')`.execute(db);
  await sql`
    create trigger verification_session_state before insert or update on verification_session
    for each row execute function state_guard('STARTED')`.execute(db);
}

/** Creates a trigger: prepared, signed and settled columns never change, and only an expired draft may be deleted. */
async function guardOperations(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger operation_guard on operation`.execute(db);
  await sql`drop function operation_guard`.execute(db);
  await sql`
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
      if old.signature is not null
        and (new.signature, new.signed_at) is distinct from (old.signature, old.signed_at) then
        raise exception 'the signature of an operation cannot change' using errcode = 'check_violation';
      end if;
      if old.state in ('EXPIRED', 'FINALIZED', 'FAILED')
        and (new.slot, new.failure) is distinct from (old.slot, old.failure) then
        raise exception 'the outcome of an operation cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger operation_unchanged before update or delete on operation
    for each row execute function operation_unchanged()`.execute(db);
}

/** Creates a trigger: wallet and credential of a session never change, and only a STARTED session may be deleted. */
async function guardVerificationSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    end $$`.execute(db);
  await sql`
    create trigger verification_session_unchanged before update or delete on verification_session
    for each row execute function verification_session_unchanged()`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export const name = 'operations-1';

/** Creates the operations, with the states and transitions of that version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create unique index operation_one_per_key on operation (wallet, idempotency_key)`.execute(db);
  await sql`
    create unique index operation_one_pending_per_wallet on operation (wallet)
    where state in ('QUEUED', 'SUBMITTED', 'UNRESOLVED')`.execute(db);
  await sql`
    create index operation_queue on operation (due_at)
    where state in ('QUEUED', 'SUBMITTED', 'UNRESOLVED')`.execute(db);
  await sql`create index operation_drafts on operation (expires_at) where state = 'DRAFT'`.execute(db);
  await guardTransitions(db);
}

/** Creates a trigger: states change only by these transitions, and prepared or signed columns never change. */
async function guardTransitions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function operation_guard() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.state <> 'DRAFT' then raise exception 'an operation begins as DRAFT'; end if;
        return new;
      end if;
      if new.state <> old.state and (old.state || '>' || new.state) not in (
        'DRAFT>EXPIRED', 'DRAFT>QUEUED', 'QUEUED>SUBMITTED', 'SUBMITTED>FINALIZED', 'SUBMITTED>FAILED',
        'SUBMITTED>UNRESOLVED', 'UNRESOLVED>FINALIZED', 'UNRESOLVED>FAILED') then
        raise exception 'operation state % cannot become %', old.state, new.state;
      end if;
      if (new.id, new.wallet, new.idempotency_key, new.request_hash, new.kind, new.message, new.expires_at)
        is distinct from
        (old.id, old.wallet, old.idempotency_key, old.request_hash, old.kind, old.message, old.expires_at)
      then raise exception 'what was prepared cannot change'; end if;
      if old.signature is not null and new.signature is distinct from old.signature
      then raise exception 'the signature of an operation cannot change'; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger operation_guard before insert or update on operation
    for each row execute function operation_guard()`.execute(db);
}

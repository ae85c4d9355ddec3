import { type Kysely, sql } from 'kysely';

export const name = 'verification-1';

/** Creates verification sessions, which are also the issuer's queue, and processed webhook messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index verification_session_due on verification_session (due_at) where state = 'ISSUING'`.execute(
    db,
  );
  await sql`
    create index verification_session_open on verification_session (expires_at) where state = 'STARTED'`.execute(
    db,
  );
  await sql`
    create table webhook_delivery (
      id text primary key,
      type text not null,
      session_id text not null references verification_session (id),
      received_at bigint not null
    )`.execute(db);
}

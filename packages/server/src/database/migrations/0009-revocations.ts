import { type Kysely, sql } from 'kysely';

export const name = 'verification-revocations';

/** Creates revocations, which are also a queue, an index of a wallet's sessions, and the digest of webhook messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`
    create index credential_revocation_due on credential_revocation (due_at) where state = 'REVOKING'`.execute(
    db,
  );
  await sql`
    create index credential_revocation_watching on credential_revocation (wallet) where state = 'WATCHING'`.execute(
    db,
  );
  await sql`create index verification_session_wallet on verification_session (wallet, created_at)`.execute(
    db,
  );
  await sql`alter table webhook_delivery add column digest bytea`.execute(db);
}

/** The verifier that a verification session was opened at. Sessions of the release before have none: they are at the main one. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table verification_session add column verifier text`.execute(db);
  await sql`
    create or replace function verification_session_unchanged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.state <> 'STARTED' then
          raise exception 'only a verification session of which nothing came may be deleted'
            using errcode = 'check_violation';
        end if;
        return old;
      end if;
      if (new.id, new.wallet, new.created_at, new.expires_at, new.verifier)
        is distinct from (old.id, old.wallet, old.created_at, old.expires_at, old.verifier) then
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
}

import { type Kysely, sql } from 'kysely';

export const name = 'guard-revocations';

/** Creates the transitions of revocations as rows, and triggers that reject every other change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into state_transition (entity, from_state, to_state) values
      ('credential_revocation', 'REVOKING', 'WATCHING'),
      ('credential_revocation', 'REVOKING', 'SETTLED'),
      ('credential_revocation', 'WATCHING', 'REVOKING'),
      ('credential_revocation', 'SETTLED', 'REVOKING')`.execute(db);
  await sql`
    create trigger credential_revocation_state before insert or update on credential_revocation
    for each row execute function state_guard('REVOKING')`.execute(db);
  await sql`
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
    end $$`.execute(db);
  await sql`
    create trigger credential_revocation_unchanged before update or delete on credential_revocation
    for each row execute function credential_revocation_unchanged()`.execute(db);
}

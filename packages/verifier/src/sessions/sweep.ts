/** Deletes what nobody needs any more. The audit trail stays. */
import { sql } from 'kysely';
import { GIVE_UP_MS } from '../checks/record-decision.ts';
import type { Verifier } from '../verifier.ts';

/** Rows that one step deletes of each kind. */
const BATCH = 1_000;

/** Deletes expired credentials, and sessions and checks that are older than every wait and that no credential needs. */
export async function sweep({ db, clock }: Verifier): Promise<void> {
  const now = clock.now();
  const seconds = BigInt(Math.floor(now / 1_000));
  const old = BigInt(now - GIVE_UP_MS);
  await db.transaction().execute(async (tx) => {
    await sql`delete from credential where commitment in (
      select commitment from credential where expires_at < ${seconds} limit ${BATCH})`.execute(tx);
    await sql`delete from message where id in (
      select id from message where due_at is null and created_at < ${old} limit ${BATCH})`.execute(tx);
    await sql`delete from session where id in (
      select id from session where created_at < ${old}
        and not exists (select from credential where session_id = session.id)
        and not exists (select from message where session_id = session.id) limit ${BATCH})`.execute(tx);
    await sql`delete from person_check where id in (
      select id from person_check where created_at < ${old} and due_at is null
        and not exists (select from credential where check_id = person_check.id)
        and not exists (select from session where check_id = person_check.id)
        -- A declined check keeps its person from a credential by another check that is approved.
        and not exists (select from person_check other
          where other.person_hash = person_check.person_hash and other.state = 'approved') limit ${BATCH})`.execute(
      tx,
    );
  });
}

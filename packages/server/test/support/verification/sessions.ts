import type { Insertable, Kysely } from 'kysely';
import type { Schema } from '../../../src/database/schema.ts';
import { transition } from '../../../src/database/transition.ts';
import type { VerificationSessionTable } from '../../../src/verification/tables.ts';

/** Adds a session in STARTED and moves it to ISSUING with its other columns. */
export async function addIssuingSession(
  db: Kysely<Schema>,
  session: Omit<Insertable<VerificationSessionTable>, 'state'>,
): Promise<void> {
  const { id, wallet, created_at, expires_at, ...claim } = session;
  await db
    .insertInto('verification_session')
    .values({ id, wallet, created_at, expires_at, state: 'STARTED' })
    .execute();
  await transition(db, { table: 'verification_session', id, from: 'STARTED', to: 'ISSUING', set: claim });
}

import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Deletes sessions that the verifier has said nothing of; one of which it has stays, with what it said. Narrow it, then execute. */
export function deleteUnheardSessions(db: Kysely<Schema>) {
  return db
    .deleteFrom('verification_session')
    .where('state', '=', 'STARTED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.session_id', '=', 'verification_session.id'),
        ),
      ),
    );
}

import { sql } from 'kysely';

/** Of the rows of `verification_session`, those that the verifier has said nothing of; one of which it has stays, with what it said. */
export const isUnheard = sql<boolean>`
  verification_session.state = 'STARTED' and not exists (
    select from webhook_delivery where webhook_delivery.session_id = verification_session.id
  )`;

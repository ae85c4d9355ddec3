import { sql } from 'kysely';

/** Matches verification sessions that the verifier sent no message about. Other sessions are kept with their messages. */
export const isUnreported = sql<boolean>`
  verification_session.state = 'STARTED' and not exists (
    select from webhook_delivery where webhook_delivery.session_id = verification_session.id
  )`;

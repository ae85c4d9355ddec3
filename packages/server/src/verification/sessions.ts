/** Verification sessions in the database. */
import type { Verification } from '@service/contract';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import type { Service } from '../service.ts';

/** Returns the wallet's latest verification session, or undefined if it has none. */
export async function findVerification(
  { db }: Pick<Service, 'db'>,
  wallet: Address,
): Promise<Verification | undefined> {
  const session = await db
    .selectFrom('verification_session')
    .select(['id', 'state', 'expires_at', 'failure', 'pending_at'])
    .where('wallet', '=', wallet)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!session) return undefined;
  const { id, state, expires_at, failure, pending_at } = session;
  return {
    sessionId: id,
    state,
    expiresAt: expires_at / 1000n,
    ...(state === 'STARTED' && pending_at !== null ? { pendingSince: pending_at / 1000n } : {}),
    ...(failure === null ? {} : { failure }),
  };
}

/** Matches verification sessions that the verifier sent no message about. Other sessions are kept with their messages. */
export const isUnreported = sql<boolean>`
  verification_session.state = 'STARTED' and not exists (
    select from webhook_delivery where webhook_delivery.session_id = verification_session.id
  )`;

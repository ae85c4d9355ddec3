import { startSweeper } from '../database/sweeper.ts';
import type { Background } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { isUnheard } from './unheard-sessions.ts';

/**
 * Milliseconds for which the id of a webhook message is kept, so that a repeat changes nothing. A copy of a message is
 * refused by its timestamp ten minutes after it came at the latest; the verifier itself may retry an id under a new timestamp,
 * which by the schedule of Standard Webhooks ends after about three days.
 */
export const KEEP_DELIVERIES_MS = 7 * 24 * 60 * 60 * 1_000;

/** Milliseconds for which a session that nobody completed is kept after its end. */
export const KEEP_ABANDONED_MS = 24 * 60 * 60 * 1_000;

/** Removes sessions that nobody completed, and the ids of webhook messages that are too old to be repeated, now and then. */
export function startVerificationSweeper(service: Service): Background {
  return startSweeper(service, 'verification sweeper', [
    {
      table: 'verification_session',
      key: 'id',
      time: 'expires_at',
      keepMs: KEEP_ABANDONED_MS,
      where: isUnheard,
    },
    { table: 'webhook_delivery', key: 'id', time: 'received_at', keepMs: KEEP_DELIVERIES_MS },
  ]);
}

import { startSweeper } from '../database/sweeper.ts';
import type { Background } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { isUnreported } from './unreported-sessions.ts';

/**
 * Milliseconds for which the id of a webhook message is kept, so that a repeat changes nothing. The timestamp check rejects
 * a copy after ten minutes at most. The verifier itself may retry an id under a new timestamp; the schedule of Standard
 * Webhooks ends after about three days.
 */
export const KEEP_DELIVERIES_MS = 7 * 24 * 60 * 60 * 1_000;

/** Milliseconds for which an incomplete session is kept after it expires. */
export const KEEP_ABANDONED_MS = 24 * 60 * 60 * 1_000;

/** Starts to delete incomplete sessions, and ids of webhook messages that are too old for a retry, periodically. */
export function startVerificationSweeper(service: Service): Background {
  return startSweeper(service, 'verification sweeper', [
    {
      table: 'verification_session',
      key: 'id',
      time: 'expires_at',
      keepMs: KEEP_ABANDONED_MS,
      where: isUnreported,
    },
    { table: 'webhook_delivery', key: 'id', time: 'received_at', keepMs: KEEP_DELIVERIES_MS },
  ]);
}

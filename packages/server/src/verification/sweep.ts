import type { Background } from '../background.ts';
import { startSweeper } from '../database/sweeper.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds for which the id of a webhook message is kept, so that a repeat changes nothing. A copy of a message is
 * refused by its timestamp ten minutes after it came at the latest; the verifier itself may retry an id under a new timestamp,
 * which by the schedule of Standard Webhooks ends after about three days.
 */
export const KEEP_DELIVERIES_MS = 7 * 24 * 60 * 60 * 1_000;

/** Removes the ids of webhook messages that are too old to be repeated, now and then. */
export function startDeliverySweeper(service: Service): Background {
  return startSweeper(service, 'delivery sweeper', [
    { table: 'webhook_delivery', key: 'id', time: 'received_at', keepMs: KEEP_DELIVERIES_MS },
  ]);
}

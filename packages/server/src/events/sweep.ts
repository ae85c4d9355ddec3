/** Deletes old events. */
import { EVENT_LIFETIME_SECONDS } from '@service/contract';
import { type DeletedRow, startSweeper } from '../database/sweeper.ts';
import type { Background } from '../lib/background.ts';
import type { Service } from '../service.ts';

/** Starts to delete events periodically. An event that the receiver of webhooks never accepted is logged and counted. */
export function startEventSweeper(service: Service): Background {
  return startSweeper(service, 'event sweeper', [
    {
      table: 'event',
      key: 'id',
      time: 'created_at',
      keepMs: EVENT_LIFETIME_SECONDS * 1_000,
      report: { columns: ['delivered_at'], rows: (deleted) => reportLost(service, deleted) },
    },
  ]);
}

function reportLost({ log, metrics, settings }: Service, deleted: readonly DeletedRow[]): void {
  if (!settings.events) return;
  for (const { id, delivered_at } of deleted) {
    if (delivered_at !== null) continue;
    metrics.countDelivery('dropped');
    log.error({ eventId: id }, 'deleted an event that its receiver did not accept in 30 days');
  }
}

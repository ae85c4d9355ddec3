/** Deletes old events. */
import { EVENT_LIFETIME_SECONDS } from '@service/contract';
import { sql } from 'kysely';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';

const INTERVAL_MS = 10 * 60 * 1_000;
/** Rows that one statement deletes, because it keeps their locks until it ends. */
const BATCH = 500;

/** Starts to delete events periodically. An event that the receiver of webhooks never accepted is logged and counted. */
export function startEventSweeper(service: Service): Background {
  return startBackground(service, {
    name: 'event sweeper',
    intervalMs: INTERVAL_MS,
    async step(signal) {
      while (!signal.aborted && (await removeBatch(service)) === BATCH);
    },
  });
}

async function removeBatch({ db, clock, log, metrics, settings }: Service): Promise<number> {
  const before = BigInt(clock.now() - EVENT_LIFETIME_SECONDS * 1_000);
  const { rows } = await sql<{ id: string; delivered_at: bigint | null }>`
    delete from event where id in (
      select id from event where created_at <= ${before} order by created_at limit ${BATCH} for update skip locked
    )
    returning id, delivered_at`.execute(db);
  const lost = settings.events?.endpoint ? rows.filter(({ delivered_at }) => delivered_at === null) : [];
  for (const { id } of lost) {
    metrics.countDelivery('dropped');
    log.error({ eventId: id }, 'deleted an event that its receiver did not accept in 30 days');
  }
  return rows.length;
}

import { type Background, startBackground } from '../background.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds for which the id of a webhook message is kept, so that a repeat changes nothing. A copy of a message is
 * refused by its timestamp ten minutes after it came at the latest; the verifier itself may retry an id under a new timestamp,
 * which by the schedule of Standard Webhooks ends after about three days.
 */
export const KEEP_DELIVERIES_MS = 7 * 24 * 60 * 60 * 1_000;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;

/** Removes the ids of webhook messages that are too old to be repeated, now and then. */
export function startDeliverySweeper(service: Service): Background {
  return startBackground(service, {
    name: 'delivery sweeper',
    intervalMs: SWEEP_INTERVAL_MS,
    async step(signal) {
      const upTo = BigInt(service.clock.now() - KEEP_DELIVERIES_MS);
      await deleteInBatches(signal, (limit) => removeBatch(service, upTo, limit));
    },
  });
}

async function removeBatch({ db }: Service, upTo: bigint, limit: number) {
  return db
    .deleteFrom('webhook_delivery')
    .where('id', 'in', (delivery) =>
      delivery.selectFrom('webhook_delivery').select('id').where('received_at', '<=', upTo).limit(limit),
    )
    .executeTakeFirstOrThrow();
}

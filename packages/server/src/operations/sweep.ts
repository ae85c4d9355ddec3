import { type Background, startBackground } from '../background.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds for which an EXPIRED draft is kept after its end, so that the same idempotency key gives the same
 * operation. After that the key is free again and the operation is NOT_FOUND; nothing was ever signed or sent for it.
 */
export const KEEP_EXPIRED_DRAFTS_MS = 24 * 60 * 60 * 1_000;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;

/** Removes drafts that expired long ago, now and then; operations that were signed stay. */
export function startDraftSweeper(service: Service): Background {
  return startBackground(service, {
    name: 'draft sweeper',
    intervalMs: SWEEP_INTERVAL_MS,
    async step(signal) {
      const upTo = BigInt(service.clock.now() - KEEP_EXPIRED_DRAFTS_MS);
      await deleteInBatches(signal, (limit) => removeBatch(service, upTo, limit));
    },
  });
}

async function removeBatch({ db }: Service, upTo: bigint, limit: number) {
  return db
    .deleteFrom('operation')
    .where('id', 'in', (operation) =>
      operation
        .selectFrom('operation')
        .select('id')
        .where('state', '=', 'EXPIRED')
        .where('expires_at', '<=', upTo)
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
}

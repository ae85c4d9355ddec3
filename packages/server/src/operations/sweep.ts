import { type Background, startBackground } from '../background.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds for which an EXPIRED draft is kept after its end, so that the same idempotency key gives the same
 * operation. After that the key is free again and the operation is NOT_FOUND; nothing was ever signed or sent for it.
 */
export const KEEP_EXPIRED_DRAFTS_MS = 24 * 60 * 60 * 1_000;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;
/** Rows that one statement deletes: it holds their locks until it ends. */
const BATCH = 500;

/** Removes drafts that expired long ago, now and then; operations that were signed stay. */
export function startDraftSweeper(service: Service): Background {
  return startBackground(service, {
    name: 'draft sweeper',
    intervalMs: SWEEP_INTERVAL_MS,
    async step(signal) {
      const upTo = BigInt(service.clock.now() - KEEP_EXPIRED_DRAFTS_MS);
      let isDone = false;
      while (!isDone && !signal.aborted) isDone = (await removeBatch(service, upTo)) < BATCH;
    },
  });
}

async function removeBatch({ db }: Service, upTo: bigint): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('operation')
    .where('id', 'in', (operation) =>
      operation
        .selectFrom('operation')
        .select('id')
        .where('state', '=', 'EXPIRED')
        .where('expires_at', '<=', upTo)
        .limit(BATCH),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

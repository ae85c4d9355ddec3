import { sql } from 'kysely';
import { startSweeper } from '../database/sweeper.ts';
import type { Background } from '../lib/background.ts';
import type { Service } from '../service.ts';

/**
 * Milliseconds for which an EXPIRED draft is kept, so that its idempotency key returns the same operation. After that
 * the key is free again and the operation is NOT_FOUND. Such a draft was never signed or sent.
 */
export const KEEP_EXPIRED_DRAFTS_MS = 24 * 60 * 60 * 1_000;

/** Starts to delete old EXPIRED drafts periodically. Signed operations are kept. */
export function startDraftSweeper(service: Service): Background {
  const where = sql<boolean>`state = 'EXPIRED'`;
  return startSweeper(service, 'draft sweeper', [
    { table: 'operation', key: 'id', time: 'expires_at', keepMs: KEEP_EXPIRED_DRAFTS_MS, where },
  ]);
}

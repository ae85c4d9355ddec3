import { type Background, startBackground } from '../background.ts';
import type { Service } from '../service.ts';

/** Milliseconds for which an expired session is kept, so that SESSION_EXPIRED can be told from AUTHENTICATION_REQUIRED. */
const KEEP_EXPIRED_SESSIONS_MS = 7 * 24 * 60 * 60 * 1_000;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;

/** Removes challenges that nobody answered and sessions that expired long ago, now and then. */
export function startAuthSweeper(service: Service): Background {
  return startBackground(service, {
    name: 'auth sweeper',
    intervalMs: SWEEP_INTERVAL_MS,
    async step() {
      const now = service.clock.now();
      await service.db.deleteFrom('challenge').where('expires_at', '<=', BigInt(now)).execute();
      await service.db
        .deleteFrom('session')
        .where('expires_at', '<=', BigInt(now - KEEP_EXPIRED_SESSIONS_MS))
        .execute();
    },
  });
}

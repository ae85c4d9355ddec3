import { startSweeper } from '../database/sweeper.ts';
import type { Background } from '../lib/background.ts';
import type { Service } from '../service.ts';

/** Milliseconds to keep an expired session, so that its cookie gets SESSION_EXPIRED and not AUTHENTICATION_REQUIRED. */
const KEEP_EXPIRED_SESSIONS_MS = 7 * 24 * 60 * 60 * 1_000;

/** Deletes expired challenges and long-expired sessions from time to time. */
export function startAuthSweeper(service: Service): Background {
  return startSweeper(service, 'auth sweeper', [
    { table: 'challenge', key: 'id', time: 'expires_at', keepMs: 0 },
    { table: 'session', key: 'token_hash', time: 'expires_at', keepMs: KEEP_EXPIRED_SESSIONS_MS },
  ]);
}

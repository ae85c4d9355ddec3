/** Logs an outage of the RPC or the database only when it starts and when it ends. */

import { logError } from '@service/process';
import type { Logger } from 'pino';
import { isUnavailable } from './unavailable.ts';

/** The outages of one service, by the name of the work that they stop. */
export type OutageLog = ReturnType<typeof createOutageLog>;

/**
 * Creates the log of outages. `work` must come from a fixed list, because each name is kept during its outage. The clock
 * is in Unix milliseconds.
 */
export function createOutageLog(log: Logger, clock: { now(): number }) {
  const outages = new Map<string, { readonly began: number; failures: number }>();
  return {
    /** Logs the first failure of an outage, without a stack. Logs every other error each time, with its stack. */
    failed(work: string, error: unknown) {
      if (!isUnavailable(error)) return logError(log, error, `${work} failed and will be retried`);
      const outage = outages.get(work);
      if (outage) {
        outage.failures += 1;
        return;
      }
      outages.set(work, { began: clock.now(), failures: 1 });
      logError(log, error, `${work} has no connection; the service retries, and logs when this works again`, {
        stack: false,
      });
    },
    /** Logs the end of an outage, if this work had one. */
    worked(work: string): void {
      const outage = outages.get(work);
      if (!outage) return;
      outages.delete(work);
      const seconds = Math.round((clock.now() - outage.began) / 1_000);
      log.info({ failures: outage.failures, seconds }, `${work} works again`);
    },
  };
}

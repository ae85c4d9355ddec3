/** Logs when the receiver stops accepting events, and when it accepts them again. */
import type { Logger } from 'pino';

/** Milliseconds between two lines of the same kind. A receiver may accept the events of some wallets and refuse others. */
const LINE_INTERVAL_MS = 60_000;

/** The log of one receiver. */
export type ReceiverLog = ReturnType<typeof createReceiverLog>;

/** Creates the log. Each of its two lines comes at most once a minute. The clock is in Unix milliseconds. */
export function createReceiverLog(log: Logger, clock: { now(): number }) {
  let isFailing = false;
  /** Failed deliveries since the last line that says that deliveries work. */
  let failures = 0;
  const last = { failing: Number.NEGATIVE_INFINITY, working: Number.NEGATIVE_INFINITY };
  const isTooSoon = (line: keyof typeof last) => clock.now() - last[line] < LINE_INTERVAL_MS;
  return {
    /** Logs a failed delivery, unless the last line says that deliveries fail. `facts` contain no URL and no secret. */
    failed(facts: object): void {
      failures += 1;
      if (isFailing || isTooSoon('failing')) return;
      isFailing = true;
      last.failing = clock.now();
      log.warn(
        facts,
        'the receiver did not accept an event; the service retries, and logs when this works again',
      );
    },
    /** Logs an accepted event, unless the last line says that deliveries work. */
    accepted(): void {
      if (!isFailing || isTooSoon('working')) return;
      isFailing = false;
      last.working = clock.now();
      log.info({ failures }, 'the receiver accepts events again');
      failures = 0;
    },
  };
}

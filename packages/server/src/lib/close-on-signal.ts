/** How every process of the service ends: at a signal, in time, once what was under way is finished. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { logError } from './log-error.ts';

/** What is closed, and how long that may take. */
export interface CloseOnSignalOptions {
  /** What runs, or is about to; one that cannot start has closed itself. */
  readonly starting: Promise<{ close(): Promise<void> }>;
  /** Milliseconds after which the process ends, closed or not. */
  readonly delayMs: number;
  readonly log: Logger;
  /** Called when closing begins. */
  readonly onClosing?: () => void;
}

/** Faults of the process itself: code that runs after one of these would run into the next. */
const NOT_CAUGHT = ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV'] as const;

/**
 * Closes at SIGTERM or SIGINT and ends the process: with 0 when it was closed in time, else with 1, as after an error
 * that nobody caught. A second signal ends it at once.
 */
export function closeOnSignal({ starting, delayMs, log, onClosing }: CloseOnSignalOptions): void {
  closeWithGrace(
    { delay: delayMs, logger: loggerOf(log), skip: [...NOT_CAUGHT] },
    async ({ signal, err }) => {
      if (err) logError(log, err, 'closing after an error that nobody caught');
      else log.info({ signal }, 'closing');
      onClosing?.();
      const running = await starting.catch(() => null);
      await running?.close();
      log.info('closed');
    },
  );
}

function loggerOf(log: Logger) {
  return {
    error: (what: unknown) =>
      typeof what === 'string' ? log.error(what) : logError(log, what, 'could not close'),
  };
}

/** Graceful shutdown of a process at a signal. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { logError } from './log-error.ts';

/** What to close, and the time limit. */
export interface CloseOnSignalOptions {
  /** The service, which may still be starting. One that fails to start closes itself. */
  readonly starting: Promise<{ close(): Promise<void> }>;
  /** Milliseconds after which the process exits, closed or not. */
  readonly delayMs: number;
  readonly log: Logger;
  /** Called when the shutdown starts. */
  readonly onClosing?: () => void;
}

/** Faults of the process itself. Code that runs after one of these would fail again. */
const NOT_CAUGHT = ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV'] as const;

/**
 * Closes the service at SIGTERM or SIGINT and exits: with 0 when it closed in time, otherwise with 1. An uncaught error
 * also exits with 1. A second signal exits immediately.
 */
export function closeOnSignal({ starting, delayMs, log, onClosing }: CloseOnSignalOptions): void {
  closeWithGrace(
    { delay: delayMs, logger: loggerOf(log), skip: [...NOT_CAUGHT] },
    async ({ signal, err }) => {
      if (err) logError(log, err, 'closing after an uncaught error');
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

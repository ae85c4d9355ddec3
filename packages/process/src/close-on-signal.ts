/** Ends a process of the service: at a signal, in time, after the work in progress. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { logError } from './log-error.ts';

/** The thing to close, and the time limit. */
export interface CloseOnSignalOptions {
  /** The running or starting server. If it rejects, it has closed itself. */
  readonly starting: Promise<{
    /** Runs before close() after a signal, if the server had started. It counts towards `delayMs`. */
    drain?(): Promise<void>;
    close(): Promise<void>;
  }>;
  /** Milliseconds after which the process exits, closed or not. */
  readonly delayMs: number;
  readonly log: Logger;
  /** Called when the shutdown starts. */
  readonly onClosing?: () => void;
}

/** Faults of the process itself. It is not safe to run more code after them. */
const NOT_CAUGHT = ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV'] as const;

/**
 * Closes at SIGTERM or SIGINT and ends the process. The exit code is 0 after a shutdown in time, and 1 after a late shutdown
 * or an uncaught error. A second signal ends the process at once.
 */
export function closeOnSignal({ starting, delayMs, log, onClosing }: CloseOnSignalOptions): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  let started: Awaited<typeof starting> | undefined;
  starting.then(
    (server) => {
      started = server;
    },
    () => undefined,
  );
  closeWithGrace(
    { delay: delayMs, logger: loggerOf(log), skip: [...NOT_CAUGHT] },
    async ({ signal, err }) => {
      if (err) logError(log, err, 'closing after an uncaught error');
      else {
        // A server that has not started has no traffic.
        await started?.drain?.();
        log.info({ signal }, 'closing');
      }
      onClosing?.();
      const running = await starting.catch(() => null);
      await running?.close();
      log.info('closed');
    },
  );
}

/**
 * Ignores that nobody reads the output any more, such as a log shipper that has ended. As an uncaught error it would end the
 * process, and the log's last lines would be written to the same pipe again and again.
 */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function loggerOf(log: Logger) {
  return {
    error: (what: unknown) =>
      typeof what === 'string' ? log.error(what) : logError(log, what, 'could not close'),
  };
}

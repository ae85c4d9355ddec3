/**
 * `npm run serve`: the server, configured by environment variables (docs/configuration.md), until SIGTERM or SIGINT.
 * Exits 0 after a shutdown in time, 2 for a wrong configuration, 1 for everything else.
 */
import closeWithGrace from 'close-with-grace';
import pino, { type Logger } from 'pino';
import { readConfiguration } from './configuration/read-configuration.ts';
import { ConfigurationError } from './configuration/read-variables.ts';
import { ClusterMismatchError } from './create-service.ts';
import { logError } from './log-error.ts';
import { serve } from './serve.ts';

/** Milliseconds that the database and the log have to close, after what was under way. */
const CLOSE_MS = 5_000;
/** Faults of the process itself: code that runs after one of these would run into the next. */
const NOT_CAUGHT = ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV'] as const;

try {
  const configuration = await readConfiguration(process.env);
  const log = pino({ level: configuration.logLevel });
  const starting = serve(configuration, log);
  closeWithGrace(
    { delay: configuration.graceMs + CLOSE_MS, logger: loggerOf(log), skip: [...NOT_CAUGHT] },
    async ({ signal, err }) => {
      if (err) logError(log, err, 'closing after an error that nobody caught');
      else log.info({ signal }, 'closing');
      // One that could not start has closed itself.
      const server = await starting.catch(() => null);
      await server?.close();
      log.info('closed');
    },
  );
  const { url, metricsUrl } = await starting;
  const { origin, program, feePayer } = configuration;
  // Also where only what is graver is logged: whoever started it waits for this line.
  const always = log.child({}, { level: 'info' });
  always.info({ url, metricsUrl, origin, program, feePayer: feePayer.address }, 'listening');
} catch (error) {
  const isMisconfigured = error instanceof ConfigurationError || error instanceof ClusterMismatchError;
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(isMisconfigured ? 2 : 1);
}

function loggerOf(log: Logger) {
  return {
    error: (what: unknown) =>
      typeof what === 'string' ? log.error(what) : logError(log, what, 'could not close'),
  };
}

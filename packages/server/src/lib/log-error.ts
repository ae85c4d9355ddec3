import type { Logger } from 'pino';

/**
 * Logs an error by its name, message, code and stack alone: database drivers put whole rows and parameters into
 * their errors, and those may hold a signed transaction.
 */
export function logError(log: Logger, error: unknown, message: string): void {
  // Not under `err`: pino would take it apart again in its own way.
  log.error({ error: describe(error) }, message);
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause instanceof Error ? { cause: describe(cause) } : {}),
  };
}

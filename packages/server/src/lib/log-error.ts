import type { Logger } from 'pino';

/**
 * Logs only the name, message, code and stack of an error. Database drivers put rows and parameters into their errors, and
 * those may contain a signed transaction.
 */
export function logError(log: Logger, error: unknown, message: string): void {
  // Not under `err`, which pino serializes in its own way.
  log.error({ error: describe(error) }, message);
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' };
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? { errors: error.errors.map(describe) } : {};
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...errors,
    ...(cause instanceof Error ? { cause: describe(cause) } : {}),
  };
}

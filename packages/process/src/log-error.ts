import type { Logger } from 'pino';

/**
 * Logs only the name, message, code and stack of an error. Database drivers put rows and parameters into their errors, and
 * those may contain a signed transaction. `stack: false` leaves out the stack, for an error that is not a defect.
 */
export function logError(
  log: Logger,
  error: unknown,
  message: string,
  options: { readonly stack: boolean } = { stack: true },
): void {
  // Not under `err`, which pino serializes in its own way.
  log.error({ error: describe(error, options.stack) }, message);
}

function describe(error: unknown, hasStack: boolean): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' };
  const { name, message, stack, cause } = error;
  const inner = (each: unknown) => describe(each, hasStack);
  const errors = error instanceof AggregateError ? { errors: error.errors.map(inner) } : {};
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    ...(hasStack ? { stack } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...errors,
    ...(cause instanceof Error ? { cause: inner(cause) } : {}),
  };
}

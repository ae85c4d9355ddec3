/** Distinguishes mistakes in code from failures of a connection, a file or a wallet. */
import { ServiceError } from '../errors.ts';

/** Returns the error for a failure that nothing outside of the SDK explains. */
export function unexpectedError(what: string, cause: unknown): ServiceError<'UNEXPECTED_ERROR'> {
  return new ServiceError('UNEXPECTED_ERROR', {
    message: `${what} failed for a reason that the SDK does not know. Report the error with its cause.`,
    cause,
  });
}

/** Returns whether an error is a mistake in code. A TypeError need not be one: `fetch` and `import` throw it too. */
export function isMistake(error: unknown): boolean {
  return error instanceof ReferenceError || error instanceof SyntaxError;
}

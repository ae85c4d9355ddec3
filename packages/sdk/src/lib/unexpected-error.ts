/** Distinguishes mistakes in code from failures of a connection, a file or a wallet. */
import { isServiceError, ServiceError } from '../errors.ts';

/** Returns the error for a failure that nothing outside of the SDK explains. */
export function unexpectedError(what: string, cause: unknown): ServiceError<'UNEXPECTED_ERROR'> {
  return new ServiceError('UNEXPECTED_ERROR', {
    message: `${what} failed for a reason that the SDK does not know. Report the error with its cause.`,
    cause,
  });
}

/** Runs something of the SDK. Throws a ServiceError unchanged, and UNEXPECTED_ERROR for every other error. */
export async function orUnexpected<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isServiceError(error) ? error : unexpectedError(what, error);
  }
}

/** The failures of calls that the SDK makes to others. */
const outside = new WeakSet<object>();

/**
 * Makes one call of a connection or of the caller's code, and marks its failure. Without a connection, `fetch` throws the same
 * TypeError as a mistake in code does, so only the place of an error distinguishes the two.
 */
export async function callOutside<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    const failure = typeof thrown === 'object' && thrown !== null ? thrown : new Error(String(thrown));
    outside.add(failure);
    throw failure;
  }
}

/** Returns whether an error is the failure of a {@link callOutside}. */
export function isFromOutside(error: unknown): boolean {
  return outside.has(error as object);
}

/** Returns whether an error is a mistake in the SDK or in the platform. */
export function isMistake(error: unknown): boolean {
  return MISTAKES.some((kind) => error instanceof kind) && !isFromOutside(error);
}

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

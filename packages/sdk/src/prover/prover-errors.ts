import { EligibilityError } from '@service/protocol/eligibility/errors';
import { isServiceError, ServiceError } from '../errors.ts';
import { throwIfAborted } from '../lib/clock.ts';
import { isMistake, unexpectedError } from '../lib/unexpected-error.ts';

const WHAT = 'Loading the artifacts';

/** Returns the error for artifacts that are not the pinned ones, or must not be used here. */
export function artifactsInvalid(message: string, cause?: unknown): ServiceError {
  return new ServiceError('ARTIFACTS_INVALID', { message, cause });
}

/**
 * Reads a file of the artifacts. Throws ARTIFACTS_INVALID with this message if that fails, and UNEXPECTED_ERROR for a
 * mistake in the code that reads it.
 */
export async function orArtifactsInvalid<T>(
  message: string,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throwIfAborted(signal, WHAT);
    if (isServiceError(error)) throw error;
    throw isMistake(error) ? unexpectedError(WHAT, error) : artifactsInvalid(message, error);
  }
}

/** Returns the error for an artifact with more bytes than `limit`. */
export function artifactTooLarge(name: string, limit: number): ServiceError {
  return artifactsInvalid(
    `${name} is larger than ${limit} bytes, its limit. Check the place of the artifacts.`,
  );
}

/**
 * Returns the error for a proof that could not be made or does not verify. It is retryable only if the prover stopped,
 * because the next proof starts another prover.
 */
export function proverFailed(message: string, cause?: unknown, retryable = false): ServiceError {
  return new ServiceError('PROVER_FAILED', { message, cause, retryable });
}

/** Returns a ServiceError for an error of the arithmetic. NOT_ELIGIBLE is thrown elsewhere, because it needs the clauses. */
export function fromEligibilityError(error: unknown): unknown {
  if (!(error instanceof EligibilityError)) return error;
  const { message } = error;
  if (error.code === 'WITNESS_INVALID') return new ServiceError('WITNESS_INVALID', { message });
  if (error.code === 'CLAUSE_INVALID') {
    return new ServiceError('RECORD_MISMATCH', {
      message,
      context: { fields: ['clauses'] },
      retryable: false,
    });
  }
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field: 'context' } });
}

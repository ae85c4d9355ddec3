import { ServiceError } from '@service/sdk';

/** The limits of {@link withTimeout}. */
export interface TimeLimit {
  /** The action, as the subject of an error message. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a function under a time limit and the caller's signal. The function must heed the signal that it receives.
 *
 * @throws ServiceError ABORTED or TIMEOUT; otherwise what `run` throws
 */
export async function withTimeout<T>(
  { what, timeoutMs, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await run(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (signal?.aborted) {
      throw new ServiceError('ABORTED', { message: `${what} was aborted by the caller.`, context: {} });
    }
    if (timeout.aborted) {
      const message = `${what} took longer than ${timeoutMs} ms. Try again.`;
      throw new ServiceError('TIMEOUT', { message, context: {} });
    }
    throw error;
  }
}

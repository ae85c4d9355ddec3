import { isServiceError, type ServiceError } from '../errors.ts';

/** How often a fetch is repeated. The client repeats requests itself, so this is for what remains. */
const MOST_RETRIES = 2;

/** Repeats a read only if the same call can succeed later. */
export function retry(failureCount: number, error: ServiceError): boolean {
  return failureCount < MOST_RETRIES && isServiceError(error) && error.retryable;
}

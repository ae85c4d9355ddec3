import { ServiceError } from '../errors.ts';
import { callOutside, unexpectedError } from '../lib/unexpected-error.ts';

/** `fetch`, or a replacement. */
export type Fetch = typeof globalThis.fetch;

/**
 * Calls the caller's own fetch, or the global one, which a page may replace at any time. Without a connection, both throw a
 * TypeError, and libraries throw an Error. Other errors are mistakes in code.
 *
 * @throws ServiceError INVALID_ARGUMENT if the caller's own fetch has a mistake, UNEXPECTED_ERROR if the global one has;
 *   otherwise what it throws, marked by {@link callOutside}
 */
export async function callFetch(own: Fetch | undefined, ...request: Parameters<Fetch>): Promise<Response> {
  let response: Response;
  try {
    response = await callOutside(() => (own ?? globalThis.fetch)(...request));
  } catch (error) {
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    throw own ? wrong(`threw a ${error.name}`, error) : unexpectedError('fetch', error);
  }
  if (typeof response?.headers?.get === 'function') return response;
  throw own
    ? wrong('did not resolve to a Response')
    : unexpectedError('fetch', new TypeError('The global fetch did not resolve to a Response.'));
}

/** Returns the error for a fetch of the caller that has a mistake. */
function wrong(happened: string, cause?: Error): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message: `The fetch that you passed has a mistake: it ${happened}. Correct that function.`,
    context: { field: 'fetch' },
    cause,
  });
}

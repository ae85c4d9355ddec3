import { isServiceError, ServiceError } from '../errors.ts';
import { withDeadline } from './deadline.ts';

/** Milliseconds after which a part that does not come has failed: a browser waits for minutes. */
const LOAD_MS = 30_000;

/**
 * Loads a part of the SDK that is a chunk of its own.
 *
 * @throws ServiceError NETWORK_ERROR when it cannot be loaded, TIMEOUT when it does not come in 30 seconds
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline({ timeoutMs: LOAD_MS, what: 'Loading a part of the SDK' }, load);
  } catch (cause) {
    if (isServiceError(cause, 'TIMEOUT')) throw cause;
    throw new ServiceError('NETWORK_ERROR', {
      message:
        'A part of the SDK could not be loaded from your site. Check the connection, and reload the page if the site was updated. Nothing was sent.',
      context: {},
      cause,
    });
  }
}

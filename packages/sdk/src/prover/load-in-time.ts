import { ServiceError } from '../errors.ts';
import { PROVER_LOAD_MS } from './bounds.ts';
import { within } from './waiting.ts';

/**
 * Loads code that is a chunk of its own. A browser waits for minutes for one that does not come.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT
 */
export async function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  const late = () =>
    new ServiceError('TIMEOUT', {
      message: `The code of the prover did not load in ${PROVER_LOAD_MS} ms. Try again.`,
      context: {},
    });
  const loading = load().catch((cause: unknown) => {
    throw new ServiceError('NETWORK_ERROR', {
      message:
        'The code of the prover could not be loaded. Is the page that of a version no longer deployed?',
      context: {},
      cause,
    });
  });
  return within(PROVER_LOAD_MS, loading, late);
}

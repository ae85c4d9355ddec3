import { ServiceError } from '../errors.ts';

/**
 * Loads a part of the SDK that is a chunk of its own.
 *
 * @throws ServiceError NETWORK_ERROR when it cannot be loaded
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new ServiceError('NETWORK_ERROR', {
      message:
        'A part of the SDK could not be loaded from your site. Check the connection, and reload the page if the site was updated. Nothing was sent.',
      context: {},
      cause,
    });
  }
}

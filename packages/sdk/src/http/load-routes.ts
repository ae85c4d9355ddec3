import { loadChunk } from '../lib/load-chunk.ts';

/** The exports of the chunk. */
export type RoutesChunk = typeof import('./routes-chunk.ts');

/**
 * Loads the endpoints with their schemas. To build all schemas at once, a page needs 10 ms. In a chunk of their own, they do
 * not add to the time in which the page loads the client.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT, ABORTED
 */
export function loadRoutes(signal?: AbortSignal): Promise<RoutesChunk> {
  return loadChunk(() => import('./routes-chunk.ts'), signal);
}

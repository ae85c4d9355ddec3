import { loadChunk } from '../lib/load-chunk.ts';

/** The exports of the chunk. */
export type RoutesChunk = typeof import('./routes-chunk.ts');

/**
 * Loads the endpoints with their schemas. Building all schemas takes 10 ms. A separate chunk keeps that time out of the task
 * that loads the client.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT, ABORTED
 */
export function loadRoutes(signal?: AbortSignal, timeoutMs?: number): Promise<RoutesChunk> {
  return loadChunk(() => import('./routes-chunk.ts'), signal, timeoutMs);
}

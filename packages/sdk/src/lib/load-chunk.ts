import { isServiceError, ServiceError } from '../errors.ts';
import { machineClock, untilAborted, withDeadline } from './clock.ts';
import { isMistake, unexpectedError } from './unexpected-error.ts';

/** Milliseconds after which a chunk that does not arrive has failed. Without a limit a browser waits for minutes. */
const LOAD_MS = 30_000;

/**
 * Loads a chunk of the SDK. The signal ends the wait, and the chunk continues to load for the next call.
 *
 * @throws ServiceError NETWORK_ERROR if it cannot be loaded, TIMEOUT if it does not arrive in 30 seconds or in
 *   `timeoutMs`, ABORTED, UNSUPPORTED_PLATFORM or UNEXPECTED_ERROR if its code does not run here
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  signal?: AbortSignal,
  timeoutMs = LOAD_MS,
): Promise<T> {
  const what = 'Loading a part of the SDK';
  const loadOrSay = () =>
    load().catch(async (cause: unknown) => {
      // The code may have arrived but not run here. If the next chunk cannot be loaded either, blame the connection.
      const platform = await import('../platform/check-platform.ts').catch(() => undefined);
      platform?.requirePlatform();
      throw cause;
    });
  try {
    const chunk = await untilAborted(
      withDeadline({ clock: machineClock, timeoutMs: Math.min(timeoutMs, LOAD_MS), what }, loadOrSay),
      signal,
      what,
    );
    // Vite's import of a missing chunk returns undefined if the site calls preventDefault() on `vite:preloadError`.
    if (chunk === undefined) throw new TypeError('The import of a chunk returned nothing.');
    return chunk;
  } catch (cause) {
    if (isServiceError(cause)) throw cause;
    // The import of a missing chunk throws a TypeError too.
    if (isMistake(cause) && !(cause instanceof TypeError)) throw unexpectedError(what, cause);
    throw new ServiceError('NETWORK_ERROR', {
      message:
        'A part of the SDK could not be loaded from your site. Nothing was sent. Check the connection, then reload the page. Without a reload, the browser can repeat the failure.',
      cause,
    });
  }
}

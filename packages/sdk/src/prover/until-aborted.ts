import { aborted } from './prover-errors.ts';

/**
 * Waits for work that others may be waiting for too: an abort ends this wait and leaves the work to
 * whoever owns it. The listener goes when the wait does.
 *
 * @throws ServiceError ABORTED
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(aborted(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

import { setMaxListeners } from 'node:events';

/**
 * Runs `work` with a signal that aborts with `over` or after `ms` milliseconds. It does not use AbortSignal.any, which
 * would leak memory on a signal that lives as long as the process.
 */
export async function withTimeout<T>(
  over: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  // Each read of the work listens to it.
  setMaxListeners(0, own.signal);
  const end = () => own.abort(over.reason);
  const timer = setTimeout(() => own.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
  // Like AbortSignal.timeout, this timer does not keep the process alive.
  timer.unref();
  over.addEventListener('abort', end, { once: true });
  if (over.aborted) end();
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    over.removeEventListener('abort', end);
  }
}

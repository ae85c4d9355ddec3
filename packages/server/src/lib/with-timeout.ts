/**
 * Does work under a signal that aborts with another one, or after some milliseconds. AbortSignal.any of a signal that lives
 * as long as the process would leave a little on it each time, for ever, and so would any of what was made of it.
 */
export async function withTimeout<T>(
  over: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const end = () => own.abort(over.reason);
  const timer = setTimeout(() => own.abort(new DOMException('It took too long', 'TimeoutError')), ms);
  // Like that of AbortSignal.timeout: it keeps no process alive.
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

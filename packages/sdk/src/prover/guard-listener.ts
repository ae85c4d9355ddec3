import { withEither } from '../lib/clock.ts';

/**
 * Runs something with a listener of the caller. If the listener throws, only this run ends, not other runs that share
 * the same work. The signal that the run receives fires in that case too.
 *
 * @throws what the listener or the run throws
 */
export async function guardListener<P, T>(
  listener: ((report: P) => void) | undefined,
  signal: AbortSignal | undefined,
  run: (report: (report: P) => void, signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!listener) return run(() => {}, signal);
  const thrown = new AbortController();
  // Kept here, because the signals of React Native have no reason.
  let reason: unknown;
  const report = (value: P) => {
    if (thrown.signal.aborted) return;
    try {
      listener(value);
    } catch (error) {
      reason = error;
      thrown.abort();
    }
  };
  try {
    const runUntil = (ending: AbortSignal) => run(report, ending);
    return await (signal ? withEither(signal, thrown.signal, runUntil) : runUntil(thrown.signal));
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: the caller must see the error of its listener.
    if (thrown.signal.aborted) throw reason;
  }
}

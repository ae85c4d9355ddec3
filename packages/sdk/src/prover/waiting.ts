/** Waits that end: by the work, by the caller's signal, by a bound, or by what a listener throws. */
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

/** Waits for work at most so many milliseconds; then throws what `late` gives, and leaves the work behind. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs with a listener that can do no harm where it is called: what it throws ends this run, and nobody else's. The
 * run gets a signal that also fires then.
 *
 * @throws whatever the listener throws, or the run
 */
export async function guardListener<P, T>(
  listener: ((report: P) => void) | undefined,
  signal: AbortSignal | undefined,
  run: (report: (report: P) => void, signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!listener) return run(() => {}, signal);
  const thrown = new AbortController();
  const report = (value: P) => {
    if (thrown.signal.aborted) return;
    try {
      listener(value);
    } catch (error) {
      thrown.abort(error);
    }
  };
  try {
    return await run(report, signal ? AbortSignal.any([signal, thrown.signal]) : thrown.signal);
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: the listener's own error is what its caller must see.
    if (thrown.signal.aborted) throw thrown.signal.reason;
  }
}

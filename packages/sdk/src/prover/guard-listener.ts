/**
 * Runs something with a listener of the caller's. What the listener throws ends this run, and no other run that shares
 * the same work. The run gets a signal that also fires then.
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

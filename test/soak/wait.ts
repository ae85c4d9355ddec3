/** Waits of the campaign, which runs in real time. */

/** Resolves after some milliseconds, or at once when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Repeats a check until it is true, at most `ms` milliseconds. Returns whether it became true. A check that throws is false. */
export async function becomes(
  check: () => Promise<boolean> | boolean,
  { ms, everyMs = 50 }: { ms: number; everyMs?: number },
): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (
      await Promise.resolve()
        .then(check)
        .catch(() => false)
    )
      return true;
    if (performance.now() > end) return false;
    await pause(everyMs);
  }
}

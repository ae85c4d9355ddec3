import type { Clock } from '@service/sdk';

/** Milliseconds of the longest possible timer. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a clock for one client. Its pauses take no real time: they call `pass` with their milliseconds, which may move
 * the chain. A time limit ends when pauses, or real time, have reached it. Service and client share the machine's date.
 */
export function quickClock(pass: (milliseconds: number) => Promise<unknown>): Clock {
  let paused = 0;
  const limits = new Set<{ readonly due: number; readonly end: () => void }>();
  return {
    now: () => Date.now(),
    elapsed: () => paused,
    async pause(milliseconds) {
      await pass(milliseconds);
      paused += milliseconds;
      for (const limit of limits) if (limit.due <= paused) limit.end();
    },
    limit(milliseconds, signal) {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          limits.delete(limit);
          resolve();
        };
        const timer = setTimeout(end, Math.min(milliseconds, MOST_TIMER_MS));
        const limit = { due: paused + milliseconds, end };
        limits.add(limit);
        signal.addEventListener('abort', end, { once: true });
      });
    },
  };
}

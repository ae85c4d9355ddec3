import type { Clock } from '@service/sdk';

/** Milliseconds of the longest possible timer. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a clock for one client, whose pauses take no real time. So a write on the service in memory takes milliseconds, and
 * a test of a long wait ends at once. A time limit ends when the pauses, or real time, have reached it. The date is that of
 * the machine.
 *
 * @param pass Called with the milliseconds of each pause, which ends with its promise. Use it to move a chain of your own. By
 *   default, other work goes on for a moment.
 * @example
 * const service = await serviceHandlers();
 * const client = new ServiceClient({ deployment: service.deployment, clock: quickClock() });
 */
export function quickClock(pass: (milliseconds: number) => Promise<unknown> = letOthersWork): Clock {
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

/** Lets timers that are due and answers that have come go first. */
function letOthersWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

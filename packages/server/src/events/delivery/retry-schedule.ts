const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Milliseconds from a failed delivery to the next one: the schedule of Standard Webhooks. The last delay repeats. */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The share of a delay that is added at random, so that events that failed together are not retried together. */
export const RETRY_JITTER = 0.1;

/** Returns the milliseconds to the next delivery, by the number of deliveries that failed before this one. */
export function retryDelayMs(failedBefore: number): number {
  const delay = RETRY_DELAYS_MS[Math.min(failedBefore, RETRY_DELAYS_MS.length - 1)]!;
  return Math.floor(delay * (1 + Math.random() * RETRY_JITTER));
}

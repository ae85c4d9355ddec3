import type { Clock } from './clock.ts';

/**
 * Returns the milliseconds that a header `Retry-After` asks to wait: a number of seconds, or a date. Returns undefined
 * if there is no such header, if it is malformed, or if the time has passed.
 */
export function retryAfterMs(header: string | null | undefined, clock: Clock): number | undefined {
  const milliseconds =
    header && (/^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - clock.now());
  return milliseconds && milliseconds > 0 ? milliseconds : undefined;
}

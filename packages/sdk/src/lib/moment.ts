/** How long ago something was, if one time of a clock cannot be trusted. */
import type { Clock } from './clock.ts';

/** A moment, by the two times of a clock in milliseconds. */
export type Moment = Readonly<Record<'now' | 'elapsed', number>>;

/** Returns the present moment. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), elapsed: clock.elapsed() };
}

/**
 * Returns the milliseconds since a moment, or more. `elapsed` can stop while a machine sleeps, and somebody can set `now`, so
 * the larger difference counts. Use it where too long a time is safe: then something is fetched or checked again.
 */
export function mostSince(clock: Clock, { now, elapsed }: Moment): number {
  return Math.max(clock.elapsed() - elapsed, Math.abs(clock.now() - now));
}

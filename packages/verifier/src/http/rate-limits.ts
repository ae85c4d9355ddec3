/** Rate limits for each network address, and for each session, because a check costs money. */
import type { Context } from 'hono';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Metrics } from '../metrics/metrics.ts';
import { messagePage } from '../pages/session-pages.ts';
import { type Language, TEXTS } from '../pages/texts.ts';

/** All rate limits, by name: requests in a number of seconds. */
export const RATE_LIMITS = {
  /** All requests of people from one network address. A page that waits asks every two seconds. */
  address: { points: 600, duration: 60 },
  /** Sessions that one service opens. */
  sessions: { points: 600, duration: 60 },
  /** Webhooks of the provider from one network address. */
  webhooks: { points: 1_200, duration: 60 },
  /** Checks that are begun in one session. */
  checks: { points: 5, duration: 3_600 },
} as const;

/** Counts requests. Each process counts in its memory. */
export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates the rate limits. */
export function createRateLimits(metrics: Metrics) {
  const limiters = new Map<string, RateLimiterAbstract>(
    Object.entries(RATE_LIMITS).map(([name, options]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, ...options }),
    ]),
  );
  /** Counts a request. Returns the seconds to wait, or null if it is allowed. */
  return async (limit: keyof typeof RATE_LIMITS, key: string): Promise<number | null> => {
    try {
      await limiters.get(limit)?.consume(key);
      return null;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      metrics.rateLimited.inc({ limit });
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    }
  };
}

/** Answers a request that a rate limit rejected. */
export function limited(c: Context, seconds: number, language: Language) {
  c.header('Retry-After', `${seconds}`);
  const { tooMany: title, tooManyText: text } = TEXTS[language];
  return c.html(messagePage(language, { title, text }), 429);
}

/** Rate limits (SPEC.md section 8): per address before anything else, per wallet once it is known. */
import { ROUTES, type Route, type RouteName } from '@service/contract';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../database/open.ts';
import { ServiceFault } from './failures/fault.ts';

/** Requests that are allowed within a number of seconds. */
interface Allowance {
  readonly points: number;
  readonly seconds: number;
}

/** All numbers in one place. Polling is the common case, so reads are generous; what costs the service is not. */
export const RATE_LIMITS = {
  /** Everything from one network address. */
  address: { points: 1_200, seconds: 60 },
  /** Challenges and answers to them from one network address: each is a row and a signature check. */
  signIn: { points: 240, seconds: 60 },
  /** Verifications started from one network address: wallets cost nothing, so that their own allowance bounds nobody. */
  verificationAddress: { points: 60, seconds: 60 },
  /** Everything of one signed-in wallet. */
  wallet: { points: 600, seconds: 60 },
  /** Operations that one wallet prepares: each reads the chain, a proof is verified. */
  prepare: { points: 120, seconds: 60 },
  /** Verifications that one wallet starts: each opens a session at the external verifier, who is usually paid for it. */
  verification: { points: 10, seconds: 60 },
} as const satisfies Record<string, Allowance>;

/** Routes that must answer while the database does not: they are counted in memory, by each process for itself. */
const HEALTH_ROUTES: readonly RouteName[] = ['live', 'ready'];

/** Which allowance beside the general one a route draws on. */
const SIGN_IN_ROUTES: readonly RouteName[] = ['challenge', 'verify'];

/** Counts requests. */
export interface RateLimits {
  /** Counts a request of a network address; files and pages count under no route. @throws ServiceFault RATE_LIMITED */
  takeAddress(address: string, route: RouteName | null): Promise<void>;
  /** Counts a request of a signed-in wallet. @throws ServiceFault RATE_LIMITED */
  takeWallet(wallet: string, route: RouteName): Promise<void>;
}

/**
 * Counts in PostgreSQL, so that several processes share the limits; under PGlite, whose database is one process by
 * nature, in memory. Tells the name of the limit that refuses.
 */
export function createRateLimits(
  database: Database,
  onRefused: (limit: string) => void = () => undefined,
): RateLimits {
  const limiters = Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, allowance]) => [name, limiter(database, name, allowance)]),
  ) as Record<keyof typeof RATE_LIMITS, RateLimiterAbstract>;
  const health = new RateLimiterMemory(optionsOf('health', RATE_LIMITS.address));
  const take = (limiter: RateLimiterAbstract, key: string) => consume(limiter, key, onRefused);
  return {
    async takeAddress(address, route) {
      if (route !== null && HEALTH_ROUTES.includes(route)) return take(health, address);
      await take(limiters.address, address);
      if (route !== null && SIGN_IN_ROUTES.includes(route)) await take(limiters.signIn, address);
      if (route === 'verificationSessions') await take(limiters.verificationAddress, address);
    },
    async takeWallet(wallet, name) {
      const route: Route = ROUTES[name];
      await take(limiters.wallet, wallet);
      if (route.preparing) await take(limiters.prepare, wallet);
      if (name === 'verificationSessions') await take(limiters.verification, wallet);
    },
  };
}

function optionsOf(keyPrefix: string, { points, seconds }: Allowance) {
  return { keyPrefix, points, duration: seconds };
}

function limiter(database: Database, name: string, allowance: Allowance): RateLimiterAbstract {
  const options = optionsOf(name, allowance);
  if (!database.pool) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: database.pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    // Whoever has used its allowance up is refused without asking: its requests would take the connections of all others.
    inMemoryBlockOnConsumed: allowance.points,
    // Rows of addresses that never come back are removed now and then.
    clearExpiredByTimeout: true,
  });
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  onRefused: (limit: string) => void,
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    // Anything else is the store's failure, which refuses too: as UNAVAILABLE or INTERNAL.
    if (!(refused instanceof RateLimiterRes)) throw refused;
    onRefused(limiter.keyPrefix);
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    throw new ServiceFault('RATE_LIMITED', `Too many requests. Retry in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
}

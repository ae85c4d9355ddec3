/** Rate limits (SPEC.md section 8): per address first, and per wallet when the session is known. */
import { ROUTES, type Route, type RouteName } from '@service/contract';
import { widerNetwork } from '@service/process';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import { ServiceFault } from './failures/fault.ts';

interface Allowance {
  readonly points: number;
  readonly seconds: number;
}

/** All rate limits. Reads have high limits, because clients poll; expensive requests have low limits. */
export const RATE_LIMITS = {
  /** All requests from one network address. */
  address: { points: 1_200, seconds: 60 },
  /** Challenges and their answers from one network address. Each costs a row and a signature check. */
  signIn: { points: 240, seconds: 60 },
  /** Verifications started from one network address. New wallets are free, so a limit per wallet is not enough. */
  verificationAddress: { points: 60, seconds: 60 },
  /** All requests of one signed-in wallet. */
  wallet: { points: 600, seconds: 60 },
  /** Operations that one wallet prepares. Each reads the chain, and some verify a proof. */
  prepare: { points: 120, seconds: 60 },
  /** Verifications that one wallet starts. Each opens a session at the external verifier, which usually costs money. */
  verification: { points: 10, seconds: 60 },
} as const satisfies Record<string, Allowance>;

/**
 * The limit of a wider IPv6 network, as a multiple of the limit of a /64, by prefix. A site often has a /48, which contains
 * 65,536 networks of /64, and a provider a /32.
 */
export const WIDER_NETWORKS = { 48: 10, 32: 100 } as const;

/** Routes that the `signIn` limit counts too. */
const SIGN_IN_ROUTES: readonly RouteName[] = ['challenge', 'verify'];

/** Counts requests. */
export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * Creates the rate limits. They count in PostgreSQL, so that several processes share them. With PGlite, which has only one
 * process, they count in memory. `onRefused` gets the name of the limit that rejected a request.
 */
export function createRateLimits(database: Database, onRefused: (limit: string) => void) {
  const limiters = mapLimits((name, allowance) => limiter(database, name, allowance));
  const take = (limiter: RateLimiterAbstract, key: string) => consume(limiter, key, onRefused);
  /** Each process counts wider networks in memory, so that a request does not cost more queries. */
  const wider = Object.entries(WIDER_NETWORKS).map(([prefix, times]) => ({
    prefix: Number(prefix),
    limiters: mapLimits((name, { points, seconds }) => inMemory(name, { points: points * times, seconds })),
  }));
  const takeNetwork = async (name: LimitName, address: string) => {
    const around = wider.flatMap(({ prefix, limiters }) => {
      const network = widerNetwork(address, prefix);
      return network ? [{ limiter: limiters[name], network }] : [];
    });
    // Before the query for the /64: who has a wider network can send each request from another /64.
    for (const { limiter, network } of around) {
      const used = await limiter.get(network);
      if (used && used.remainingPoints <= 0) refuse(limiter, used, onRefused);
    }
    await take(limiters[name], address);
    for (const { limiter, network } of around) await take(limiter, network);
  };
  return {
    /**
     * Counts a request of a network address. `route` is null for files and pages. Does not count the routes of health: a
     * balancer would stop a working process because visitors at the same address sent many requests.
     *
     * @throws ServiceFault RATE_LIMITED
     */
    async takeAddress(address: string, route: RouteName | null): Promise<void> {
      if (route !== null && (ROUTES[route] as Route).unlimited) return;
      await takeNetwork('address', address);
      if (route !== null && SIGN_IN_ROUTES.includes(route)) await takeNetwork('signIn', address);
      if (route === 'verificationSessions') await takeNetwork('verificationAddress', address);
    },
    /** Counts a request of a signed-in wallet. @throws ServiceFault RATE_LIMITED */
    async takeWallet(wallet: string, route: RouteName): Promise<void> {
      await take(limiters.wallet, wallet);
      if ((ROUTES[route] as Route).preparing) await take(limiters.prepare, wallet);
      if (route === 'verificationSessions') await take(limiters.verification, wallet);
    },
  };
}

type LimitName = keyof typeof RATE_LIMITS;

function mapLimits(make: (name: string, allowance: Allowance) => RateLimiterAbstract) {
  return Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, allowance]) => [name, make(name, allowance)]),
  ) as Record<LimitName, RateLimiterAbstract>;
}

function inMemory(name: string, { points, seconds }: Allowance): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
}

function limiter(database: Database, name: string, allowance: Allowance): RateLimiterAbstract {
  if (!database.pool) return inMemory(name, allowance);
  return new RateLimiterPostgres({
    keyPrefix: name,
    points: allowance.points,
    duration: allowance.seconds,
    storeClient: database.pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    // Reject in memory once a limit is used up. Otherwise these requests would take the connections of others.
    inMemoryBlockOnConsumed: allowance.points,
    // Delete the rows of addresses that never return.
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
    // Any other error is a failure of the store. It also rejects the request, with UNAVAILABLE or INTERNAL.
    if (!(refused instanceof RateLimiterRes)) throw refused;
    refuse(limiter, refused, onRefused);
  }
}

function refuse(
  { keyPrefix }: RateLimiterAbstract,
  { msBeforeNext }: RateLimiterRes,
  onRefused: (limit: string) => void,
): never {
  onRefused(keyPrefix);
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  throw new ServiceFault('RATE_LIMITED', `Too many requests. Retry in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

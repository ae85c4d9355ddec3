/** Each rate limit at the last request that it allows and the first that it refuses, and when it allows again. */
import { REQUEST_ID_HEADER } from '@service/contract';
import type { Answer, Visitor } from '@service/test-support/service';
import { startWorld, type World } from '@service/test-support/service';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import type { CreatedService } from '../create-service.ts';
import { RATE_LIMITS, type RateLimits } from './rate-limits.ts';

let world: World;
let database: TestDatabase;
let service: CreatedService;
beforeAll(async () => {
  world = await startWorld({ program: false });
});
beforeEach(async () => {
  // Under PostgreSQL the counts are shared, so that the requests of other tests would count too.
  database = await openTestDatabase();
  service = await world.another({ database });
});
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
  await database.close();
});
afterAll(() => world.close());

const challenge = (visitor: Visitor) => visitor.post('/api/auth/challenge', { wallet: visitor.address });
const operation = (visitor: Visitor) => visitor.get('/api/operations/none');
const config = (visitor: Visitor) => visitor.get('/api/config');
const live = (visitor: Visitor) => visitor.get('/api/health/live');
const prepare = (visitor: Visitor) => visitor.post('/api/rules', {});
const verify = (visitor: Visitor) => visitor.post('/api/verification-sessions', { returnUrl: 'none' });
const IN_PROCESS = 'in-process';

interface Limit {
  readonly points: number;
  readonly seconds: number;
  /** Counts one request, as the limited route does. */
  readonly count: (limits: RateLimits, wallet: Visitor['address']) => Promise<void>;
  readonly limited: (visitor: Visitor) => Promise<Answer>;
  /** What such a request is answered while it is allowed. */
  readonly status: number;
  /** What goes on meanwhile, and for whom. */
  readonly spared: readonly { request: (visitor: Visitor) => Promise<Answer>; of: 'wallet' | 'another' }[];
  /** How many requests it took to sign in. */
  readonly signIn: number;
}

test.each<[string, Limit]>([
  [
    'of an address',
    {
      ...RATE_LIMITS.address,
      count: (limits) => limits.takeAddress(IN_PROCESS, null),
      limited: config,
      status: 200,
      spared: [{ request: live, of: 'wallet' }],
      signIn: 2,
    },
  ],
  [
    'of an address that asks for health',
    {
      ...RATE_LIMITS.address,
      count: (limits) => limits.takeAddress(IN_PROCESS, 'live'),
      limited: live,
      status: 200,
      spared: [{ request: config, of: 'wallet' }],
      signIn: 0,
    },
  ],
  [
    'of an address that signs in',
    {
      ...RATE_LIMITS.signIn,
      count: (limits) => limits.takeAddress(IN_PROCESS, 'challenge'),
      limited: challenge,
      status: 200,
      spared: [{ request: config, of: 'wallet' }],
      signIn: 2,
    },
  ],
  [
    'of an address that starts verifications',
    {
      ...RATE_LIMITS.verificationAddress,
      count: (limits) => limits.takeAddress(IN_PROCESS, 'verificationSessions'),
      limited: verify,
      status: 400,
      spared: [
        { request: operation, of: 'wallet' },
        { request: challenge, of: 'another' },
      ],
      signIn: 0,
    },
  ],
  [
    'of a wallet',
    {
      ...RATE_LIMITS.wallet,
      count: (limits, wallet) => limits.takeWallet(wallet, 'operation'),
      limited: operation,
      status: 404,
      spared: [
        { request: config, of: 'wallet' },
        { request: operation, of: 'another' },
      ],
      signIn: 0,
    },
  ],
  [
    'of a wallet that prepares',
    {
      ...RATE_LIMITS.prepare,
      count: (limits, wallet) => limits.takeWallet(wallet, 'createRuleSet'),
      limited: prepare,
      status: 400,
      spared: [
        { request: operation, of: 'wallet' },
        { request: prepare, of: 'another' },
      ],
      signIn: 0,
    },
  ],
  [
    'of a wallet that starts verifications',
    {
      ...RATE_LIMITS.verification,
      count: (limits, wallet) => limits.takeWallet(wallet, 'verificationSessions'),
      limited: verify,
      status: 400,
      spared: [
        { request: operation, of: 'wallet' },
        { request: verify, of: 'another' },
      ],
      signIn: 0,
    },
  ],
])('the limit %s', async (_name, { points, seconds, count, limited, status, spared, signIn }) => {
  const [wallet, another] = [await world.visitor(service), await world.visitor(service)];
  // Only the day is held: what waits for the database goes on.
  vi.useFakeTimers({ toFake: ['Date'] });
  await wallet.signIn();
  await another.signIn();
  for (let counted = 2 * signIn; counted < points - 1; counted++)
    await count(service.service.limits, wallet.address);

  expect((await limited(wallet)).status).toBe(status);
  const refused = await limited(wallet);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe(String(seconds));
  const requestId = refused.headers.get(REQUEST_ID_HEADER);
  expect(refused.body).toEqual({
    error: { code: 'RATE_LIMITED', message: `Too many requests. Retry in ${seconds} s.`, requestId },
  });
  for (const { request, of } of spared)
    expect((await request(of === 'wallet' ? wallet : another)).code).not.toBe('RATE_LIMITED');

  vi.setSystemTime(Date.now() + seconds * 1_000 - 1);
  const still = await limited(wallet);
  expect(still.status).toBe(429);
  expect(still.headers.get('retry-after')).toBe('1');
  vi.setSystemTime(Date.now() + 1);
  expect((await limited(wallet)).status).toBe(status);
});

test.runIf(process.env.TEST_DATABASE_URL)('a visitor who is refused costs PostgreSQL nothing', async () => {
  const { limits } = service.service;
  const counted = vi.spyOn(database.pool!, 'query');
  const refused = async (count: number) => {
    const answers = Array.from({ length: count }, () => limits.takeAddress('203.0.113.9', null));
    return (await Promise.allSettled(answers)).filter(({ status }) => status === 'rejected').length;
  };
  expect(await refused(RATE_LIMITS.address.points)).toBe(0);
  expect(counted).toHaveBeenCalledTimes(RATE_LIMITS.address.points);
  expect(await refused(500)).toBe(500);
  expect(counted).toHaveBeenCalledTimes(RATE_LIMITS.address.points);
  await limits.takeAddress('203.0.113.10', null);
});

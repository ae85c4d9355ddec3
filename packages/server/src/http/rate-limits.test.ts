/** Tests each rate limit at its last allowed request, at its first rejected one, and when it allows requests again. */
import { REQUEST_ID_HEADER, type RouteName } from '@service/contract';
import type { Answer, Visitor } from '@service/server/test-service';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { testWorld } from '../../test/support/test-world.ts';
import type { CreatedService } from '../create-service.ts';
import { createRateLimits, RATE_LIMITS, type RateLimits, WIDER_NETWORKS } from './rate-limits.ts';

const world = testWorld({ program: false });
let database: TestDatabase;
let service: CreatedService;
beforeEach(async () => {
  // PostgreSQL shares the counts, so requests of other tests would count too.
  database = await openTestDatabase();
  service = await world.another({ database });
});
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
  await database.close();
});

const challenge = (visitor: Visitor) => visitor.post('/api/auth/challenge', { wallet: visitor.address });
const operation = (visitor: Visitor) => visitor.get('/api/operations/none');
const config = (visitor: Visitor) => visitor.get('/api/config');
const live = (visitor: Visitor) => visitor.get('/api/health/live');
const prepare = (visitor: Visitor) => visitor.post('/api/rules', {});
const verify = (visitor: Visitor) => visitor.post('/api/verification-sessions', { returnUrl: 'none' });
const IN_PROCESS = 'in-process';

type Request = (visitor: Visitor) => Promise<Answer>;
interface Limit {
  readonly of: keyof typeof RATE_LIMITS;
  /** Counts one request, as the limited route does. */
  readonly count: (limits: RateLimits, wallet: Visitor['address']) => Promise<void>;
  readonly limited: Request;
  /** Status of an allowed request. */
  readonly status: number;
  /** A request of the same visitor that is still allowed, and one of another visitor. */
  readonly spared: Request;
  readonly sparedOther?: Request;
  /** Requests per sign-in that the limit counts. */
  readonly signIn?: number;
}
const address = (route: RouteName | null) => (limits: RateLimits) => limits.takeAddress(IN_PROCESS, route);
const wallet = (route: RouteName) => (limits: RateLimits, of: Visitor['address']) =>
  limits.takeWallet(of, route);

// biome-ignore format: one limit a line
test.each<[string, Limit]>([
  ['of an address', { of: 'address', count: address(null), limited: config, status: 200, spared: live, signIn: 2 }],
  ['of an address for sign-in', { of: 'signIn', count: address('challenge'), limited: challenge, status: 200, spared: config, signIn: 2 }],
  ['of an address for verifications', { of: 'verificationAddress', count: address('verificationSessions'), limited: verify, status: 400, spared: operation, sparedOther: challenge }],
  ['of a wallet', { of: 'wallet', count: wallet('operation'), limited: operation, status: 404, spared: config, sparedOther: operation }],
  ['of a wallet for preparing', { of: 'prepare', count: wallet('createRuleSet'), limited: prepare, status: 400, spared: operation, sparedOther: prepare }],
  ['of a wallet for verifications', { of: 'verification', count: wallet('verificationSessions'), limited: verify, status: 400, spared: operation, sparedOther: verify }],
])('the limit %s', async (_name, { of, count, limited, status, spared, sparedOther, signIn = 0 }) => {
  const { points, seconds } = RATE_LIMITS[of];
  const [visitor, another] = [await world.visitor(service), await world.visitor(service)];
  // Stop only the date, so that waits for the database continue.
  vi.useFakeTimers({ toFake: ['Date'] });
  await visitor.signIn();
  await another.signIn();
  for (let counted = 2 * signIn; counted < points - 1; counted++)
    await count(service.service.limits, visitor.address);

  expect((await limited(visitor)).status).toBe(status);
  const refused = await limited(visitor);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe(String(seconds));
  const requestId = refused.headers.get(REQUEST_ID_HEADER);
  expect(refused.body).toEqual({
    error: { code: 'RATE_LIMITED', message: `Too many requests. Retry in ${seconds} s.`, requestId },
  });
  expect((await spared(visitor)).code).not.toBe('RATE_LIMITED');
  expect((await sparedOther?.(another))?.code).not.toBe('RATE_LIMITED');

  vi.setSystemTime(Date.now() + seconds * 1_000 - 1);
  const still = await limited(visitor);
  expect(still.status).toBe(429);
  expect(still.headers.get('retry-after')).toBe('1');
  vi.setSystemTime(Date.now() + 1);
  expect((await limited(visitor)).status).toBe(status);
});

test.each([
  ['live', '/api/health/live'],
  ['ready', '/api/health/ready'],
] as const)('health has no limit: %s', async (route, path) => {
  const { limits } = service.service;
  const visitor = await world.visitor(service);
  // The visitors of a balancer that is no trusted proxy use up its address.
  for (let count = 0; count < RATE_LIMITS.address.points; count++) await limits.takeAddress(IN_PROCESS, null);
  expect((await config(visitor)).status).toBe(429);
  for (let count = 0; count < RATE_LIMITS.address.points; count++)
    await limits.takeAddress(IN_PROCESS, route);
  expect((await visitor.get(path)).code).not.toBe('RATE_LIMITED');
});

describe.each([
  ['/48', 48, (number: number) => `2001:db8:1:${number.toString(16)}::/64`, '2001:db8:2::/64'],
  ['/32', 32, (number: number) => `2001:db8:${number.toString(16)}::/64`, '2001:db9::/64'],
] as const)('the limit of an IPv6 %s', (_name, prefix, networkAt, outside) => {
  const { points } = RATE_LIMITS.verificationAddress;
  const times = WIDER_NETWORKS[prefix];

  test('rejects a new /64 when its networks used up the allowance together', async () => {
    const refused = vi.fn();
    const limits = createRateLimits({ ...database, pool: null }, refused);
    const verify = (network: string) => limits.takeAddress(network, 'verificationSessions');
    for (let number = 0; number < times; number += 1)
      for (let count = 0; count < points; count += 1) await verify(networkAt(number));
    await expect(verify(networkAt(times))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(refused.mock.calls).toEqual([['verificationAddress']]);
    await verify(outside);
    await limits.takeAddress(networkAt(times), 'config');
  });

  test('does not count what a /64 is rejected for', async () => {
    const limits = createRateLimits({ ...database, pool: null }, vi.fn());
    const verify = (network: string) => limits.takeAddress(network, 'verificationSessions');
    for (let count = 0; count < times * points; count += 1) await verify(networkAt(0)).catch(() => undefined);
    await verify(networkAt(1));
  });
});

test.runIf(process.env.TEST_DATABASE_URL)('a rejected visitor causes no query in PostgreSQL', async () => {
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

test.runIf(process.env.TEST_DATABASE_URL)('a rejected IPv6 /48 causes no query from a new /64', async () => {
  const limits = createRateLimits(database, vi.fn());
  const { points } = RATE_LIMITS.address;
  const networkAt = (number: number) => `2001:db8:7:${number.toString(16)}::/64`;
  for (let number = 0; number < WIDER_NETWORKS[48]; number += 1)
    await Promise.all(Array.from({ length: points }, () => limits.takeAddress(networkAt(number), null)));
  const counted = vi.spyOn(database.pool!, 'query');
  for (let number = 100; number < 150; number += 1)
    await expect(limits.takeAddress(networkAt(number), null)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(counted).not.toHaveBeenCalled();
});

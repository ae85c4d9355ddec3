import { createClientAddress, isProxyRange, listen } from '@service/process';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { getWith } from '../../test/support/loopback.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { createService } from '../create-service.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import type { HttpApp } from './routing/variables.ts';

/** Returns the address under which a listener counts a request from a loopback address. */
async function countedAs(
  trusted: readonly string[],
  { forwarded, from = '127.0.0.1', host = '127.0.0.1' }: { forwarded?: string; from?: string; host?: string },
): Promise<string> {
  const app: HttpApp = new Hono();
  const clientAddress = createClientAddress(trusted);
  app.get('/', (context) => context.text(clientAddress(context)));
  const { port, close } = await listen(app, { port: 0, host });
  const { body } = await getWith({
    port,
    host: from === '::1' ? '::1' : '127.0.0.1',
    localAddress: from,
    headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded },
  });
  await close(new AbortController().signal);
  return body;
}

const PROXIES = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];

test.each<[string, string | undefined, string]>([
  ['the proxy itself without the header', undefined, '127.0.0.1'],
  ['the hop that the proxy saw', '203.0.113.7', '203.0.113.7'],
  ['not a hop that the visitor wrote', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['the hop before several trusted proxies', '198.51.100.1, 203.0.113.7, 10.1.2.3, fd00::1', '203.0.113.7'],
  ['an untrusted proxy', '203.0.113.7, 11.0.0.1, 10.1.2.3', '11.0.0.1'],
  ['the first of proxies that are all trusted', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
  ['an IPv4-mapped IPv6 address as IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
  ['the hop before an IPv4-mapped trusted proxy', '203.0.113.7, ::ffff:10.1.2.3', '203.0.113.7'],
  ['the /64 of IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['the same /64 for another notation', '2001:DB8:1:2:0:0:0:9', '2001:db8:1:2::/64'],
  ['the proxy that forwarded garbage', '203.0.113.7, <script>', '127.0.0.1'],
  ['the proxy that forwarded an address with a port', '203.0.113.7:4000, 10.1.2.3', '10.1.2.3'],
  ['the proxy that forwarded a number', '1', '127.0.0.1'],
  ['the proxy that forwarded empty hops', ', ,', '127.0.0.1'],
])('behind a trusted proxy, counts %s', async (_what, forwarded, counted) => {
  expect(await countedAs(PROXIES, forwarded === undefined ? {} : { forwarded })).toBe(counted);
});

test('counts a peer that is not a trusted proxy, whatever its header says', async () => {
  const forwarded = '203.0.113.7';
  expect(await countedAs([], { forwarded })).toBe('127.0.0.1');
  expect(await countedAs(PROXIES, { forwarded, from: '127.0.0.2' })).toBe('127.0.0.2');
  expect(await countedAs(PROXIES, { forwarded: '10.0.0.1, 127.0.0.1', from: '127.0.0.2' })).toBe('127.0.0.2');
});

test('a listener for IPv4 and IPv6 counts IPv4 peers as IPv4', async () => {
  expect(await countedAs([], { host: '::' })).toBe('127.0.0.1');
  expect(await countedAs(['127.0.0.1'], { host: '::', forwarded: '203.0.113.7' })).toBe('203.0.113.7');
  expect(await countedAs([], { host: '::', from: '::1' })).toBe('::/64');
});

test('a range is an address, a CIDR or one of three names', () => {
  for (const range of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '::ffff:10.0.0.0/104', 'uniquelocal'])
    expect(isProxyRange(range), range).toBe(true);
  for (const range of ['', '10', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '0.0.0.0/0', '*', 'proxy.example'])
    expect(isProxyRange(range), range).toBe(false);
  expect(() => createClientAddress(['10.0.0.0/8', '*'])).toThrow('"*" is not an address range.');
});

describe('the rate limit', () => {
  const world = testWorld({ program: false });

  test('of a visitor behind a trusted proxy is separate, and nobody else can use it up', async () => {
    const statusOf = async (trustedProxies: readonly string[], forwarded: string) => {
      const { service } = world.created;
      const settings = { ...service.settings, trustedProxies };
      const site = createService({ ...service, database: world.database, settings });
      // With PostgreSQL, the services share the count, so the second one is over the limit at once.
      for (let count = 0; count < RATE_LIMITS.address.points; count++)
        await site.service.limits.takeAddress('203.0.113.7', 'config').catch(() => undefined);
      const { url } = await site.listen({ port: 0 });
      const { status } = await fetch(`${url}/api/config`, { headers: { 'X-Forwarded-For': forwarded } });
      await site.close();
      return status;
    };
    expect(await statusOf(['loopback'], '203.0.113.7')).toBe(429);
    expect(await statusOf(['loopback'], '203.0.113.8')).toBe(200);
    expect(await statusOf([], '203.0.113.7')).toBe(200);
  });
});

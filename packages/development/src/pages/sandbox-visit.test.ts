import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '@solana/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevelopmentPages } from './pages.ts';
import { verifyAtSandbox } from './sandbox-visit.ts';

/** Redirects as a verifier does, and notes the requests. */
const verifier = createServer((request, response) => {
  asked.push(request);
  response.writeHead(303, { location: next.shift(), 'set-cookie': `step=${asked.length}; Path=/` }).end();
});
let asked: IncomingMessage[];
let next: string[];
let origin: string;
beforeEach(async () => {
  [asked, next] = [[], []];
  verifier.listen(0, '127.0.0.1');
  await once(verifier, 'listening');
  origin = `http://127.0.0.1:${(verifier.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => verifier.close(resolve)));

const RETURN_URL = 'http://localhost:3000/holder#witness=x';
const answers = new URLSearchParams({ region: 'FR' });

it('goes the way of a person, with the cookies of the verifier, and returns where it leads', async () => {
  next = ['/check', '/back', RETURN_URL];
  expect(await verifyAtSandbox(new URL('/verify', origin), answers)).toEqual({ returnUrl: RETURN_URL });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /verify',
    'POST /check',
    'GET /back',
  ]);
  expect(asked.at(-1)?.headers).toMatchObject({ origin, cookie: 'step=1; step=2' });
});

it('goes to no other origin, with neither cookies nor answers', async () => {
  next = ['http://elsewhere.example/check'];
  await expect(verifyAtSandbox(new URL('/verify', origin), answers)).rejects.toThrow(
    'http://elsewhere.example',
  );
  expect(asked).toHaveLength(1);
});

it('is open to the own pages, for the pinned verifier of a stack that runs it', async () => {
  const deployment = () => ({
    program: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address,
    genesisHash: '7aoLxDpQmAjeLPnuEdSA5DRsyy9Mb4WQbkCPkB6LUY6b',
    artifactsDigest: 'ab'.repeat(32),
    rpcUrl: 'http://127.0.0.1:8899',
    verifierOrigins: [origin],
    baseUrl: 'http://localhost:3000',
  });
  const get = (url: string, { sandbox = true, site = 'same-origin' } = {}) =>
    createDevelopmentPages({ sandbox, deployment })(
      new Request(`http://localhost:3000/sandbox-visit?${new URLSearchParams({ url, region: 'FR' })}`, {
        headers: { 'sec-fetch-site': site },
      }),
    );
  const url = `${origin}/verify`;
  for (const refused of [
    get(url, { sandbox: false }),
    get(url, { site: 'cross-site' }),
    get('http://elsewhere.example/verify'),
    get('no URL'),
  ])
    expect(await refused).toBeNull();
  expect(asked).toEqual([]);
  next = ['/check', '/back', RETURN_URL];
  const response = await get(url);
  expect(await response?.json()).toEqual({ returnUrl: RETURN_URL });
  expect(response?.headers.get('cache-control')).toBe('no-store');
});

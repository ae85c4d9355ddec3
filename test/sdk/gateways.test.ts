/** A proxy in front of the service that answers in its own words, and an RPC that fails or hangs, while the client waits. */
import type { ServiceClientOptions } from '@service/sdk';
import { ORIGIN } from '@service/server/test-service';
import { describe, expect, test } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Edits, nodeWith } from '../support/node.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();

const page =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('<html><h1>Sorry</h1></html>', {
      status,
      headers: { 'content-type': 'text/html', ...headers },
    });

/** Answers of proxies that mean: try again. */
const FAILURES: [string, () => Response, string][] = [
  ['500', page(500), 'UNAVAILABLE'],
  ['502', page(502), 'UNAVAILABLE'],
  ['503 with Retry-After', page(503, { 'retry-after': '1' }), 'UNAVAILABLE'],
  ['504', page(504), 'UNAVAILABLE'],
  ['429', page(429), 'RATE_LIMITED'],
  ['429 with Retry-After', page(429, { 'retry-after': '3600' }), 'RATE_LIMITED'],
];
const DIFFERENT: [string, () => Response][] = [
  ['200', page(200)],
  ['404', page(404)],
];

/** Answers the first requests of a path with other responses. */
function behind(path: string, responses: readonly (() => Response)[], inner = market.request): typeof fetch {
  const left = [...responses];
  return async (input, init) => {
    const request = new Request(input, init);
    const isIt = new URL(request.url).pathname.startsWith(path);
    return (isIt && left.shift()?.()) || inner(request);
  };
}

/** Keeps the session over clients, as a browser keeps the cookie over a page load. */
function withCookie(): typeof fetch {
  let cookie = '';
  return async (input, init) => {
    const request = new Request(input, init);
    if (cookie) request.headers.set('cookie', cookie);
    const response = await market.request(request);
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
}

const NO_RETRY = { limit: 0 };
async function signedIn(options: Partial<ServiceClientOptions> = {}, { signer } = market.issuer) {
  const client = market.newClient({ retry: NO_RETRY, ...options });
  await client.authenticate(signer, market.deployment.genesisHash);
  return client;
}

const node = (edits: Edits) => nodeWith(market.world.net, edits);
/** Fails a few times. */
const failing = (times: number): Edits => {
  let left = times;
  return {
    getMultipleAccounts: (result) => {
      left -= 1;
      if (left >= 0) throw new TypeError('fetch failed');
      return result;
    },
  };
};
const never = () => new Promise<never>(() => undefined);

describe('a proxy’s own page', () => {
  test.each(FAILURES)('with %s is retryable', async (_name, response, code) => {
    const client = await signedIn({ fetch: behind('/api/passport', [response]) });
    await expectRefusal(client.passport(), code as 'UNAVAILABLE', { retryable: true });
    expect(await client.passport()).toMatchObject({ wallet: market.issuer.signer.address });
  });

  test.each(DIFFERENT)('with %s is no answer of this service', async (_name, response) => {
    const client = await signedIn({ fetch: behind('/api', [], market.request) });
    const other = await signedIn({ fetch: behind('/api/passport', [response, response]) });
    const refusal = { retryable: false };
    await expectRefusal(other.passport(), 'UNEXPECTED_RESPONSE', refusal);
    await expectRefusal(other.waitForCredential(), 'UNEXPECTED_RESPONSE', refusal);
    const reloaded = await signedIn({ fetch: behind('/api/operations', [response]) });
    await expectRefusal(reloaded.waitForOperation(market.issued), 'UNEXPECTED_RESPONSE', refusal);
    expect(await client.waitForOperation(market.issued)).toMatchObject({ state: 'FINALIZED' });
  });

  test('ends no wait for an operation', async () => {
    const responses = FAILURES.map(([, response]) => response);
    const client = await signedIn({ fetch: behind('/api/operations', responses) });
    const done = await client.waitForOperation(market.issued);
    expect(done).toMatchObject({ state: 'FINALIZED', indexed: true });
  });

  test('ends no wait for a credential, neither for its session nor for its record', async () => {
    const session = withCookie();
    await signedIn({ fetch: session });
    const responses = FAILURES.map(([, response]) => response);
    const ofSession = behind('/api/auth/session', responses.slice(0, 3), session);
    const fetch = behind('/api/passport', responses.slice(3), ofSession);
    const reloaded = market.newClient({ fetch, retry: NO_RETRY });
    expect(await reloaded.waitForCredential()).toMatchObject({ revoked: false });
  });

  test('in place of the answer to submit does not end the write, which is done once', async () => {
    const wallet = countingWallet(market.issuer.signer);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const isSubmit = request.url.endsWith('/api/transactions/submit');
      const response = await market.request(request);
      return isSubmit ? page(504)() : response;
    };
    const client = await signedIn({ fetch });
    const request = { mint: market.mint, destination: market.source, amount: 3n };
    const done = await market.live(() => client.issue(wallet, request));
    expect(done).toMatchObject({ state: 'FINALIZED', kind: 'ISSUE' });
    expect(wallet.asked).toBe(1);
  });
});

describe('waitForCredential', () => {
  test('survives an RPC that fails', async () => {
    const client = await signedIn({ rpc: node(failing(3)) });
    expect(await client.waitForCredential()).toMatchObject({ revoked: false });
  });

  test.each(['fails', 'hangs'])('ends in time if the RPC always %s', async (how) => {
    const message = expect.stringContaining('RPC did not show the credential');
    const edits = how === 'fails' ? failing(1_000) : { getMultipleAccounts: never };
    const client = await signedIn({ rpc: node(edits) });
    const waiting = client.waitForCredential({ timeoutMs: 400 });
    await expectRefusal(waiting, 'TIMEOUT', { message });
  });

  test.each([
    ['/api/passport', /has not indexed it/],
    ['/api/auth/session', /did not name the signed-in wallet/],
  ])('ends in time if %s hangs', async (path, message) => {
    const session = withCookie();
    await signedIn({ fetch: session });
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      return request.url === `${ORIGIN}${path}` ? never() : session(request);
    };
    const waiting = market.newClient({ fetch }).waitForCredential({ timeoutMs: 400 });
    await expectRefusal(waiting, 'TIMEOUT', { message: expect.stringMatching(message) });
  });

  test('ends at once without a session', async () => {
    await expectRefusal(market.newClient().waitForCredential(), 'AUTHENTICATION_REQUIRED');
  });
});

test('a second tab learns that the service refused, what can still happen, and how long that takes', async () => {
  const { signer } = market.issuer;
  const [first, second] = [await signedIn(), await signedIn()];
  const request = { mint: market.mint, destination: market.source, amount: 1n };
  const prepared = [await first.prepare.issue(request), await second.prepare.issue(request)] as const;
  await first.signAndSubmit(signer, prepared[0]);
  const { operationId } = prepared[1];
  const refused = second.signAndSubmit(signer, prepared[1]);
  await expectRefusal(refused, 'OUTCOME_UNKNOWN', {
    retryable: false,
    status: 409,
    context: { operationId, answer: 'SIGNED_OPERATION_PENDING' },
    message: expect.stringMatching(
      /the service does not send it, .* can land for about two minutes\. Do not repeat .*waitForOperation\('[^']+'\) has ended, which takes at most three minutes\./,
    ),
  });
  await market.live(() => first.waitForOperation(prepared[0].operationId));
  // The wait ends with the proof that it never landed, once its blockhash has expired.
  const context = { operationId, reason: 'NEVER_LANDED' };
  await market.live(() =>
    market.whileSlotsPass(20, () =>
      expectRefusal(second.waitForOperation(operationId), 'OPERATION_FAILED', { context }),
    ),
  );
});

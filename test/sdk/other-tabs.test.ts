/** Two tabs of a site share one cookie: when one of them signs another wallet in, the other one says so. */
import type { ServiceClient } from '@service/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Market, useMarket } from './support/market.ts';

const market = useMarket();

/** Returns clients of pages that share their cookies. */
function tabs(count: number): ServiceClient[] {
  let cookie = '';
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    request.headers.set('cookie', cookie);
    const response = await market.request(request);
    for (const line of response.headers.getSetCookie()) cookie = line.split(';')[0] as string;
    return response;
  };
  return Array.from({ length: count }, () => market.newClient({ fetch }));
}

const signIn = (client: ServiceClient, { signer }: Market['issuer']) =>
  client.authenticate(signer, market.deployment.genesisHash);

/** Resolves when the wallet of a client is the given one, or null. */
const shows = (client: ServiceClient, wallet: string | null) =>
  vi.waitFor(() => expect(client.getSnapshot().wallet).toBe(wallet), { interval: 5 });

let first: ServiceClient;
let second: ServiceClient;
const leave: (() => void)[] = [];
beforeEach(async () => {
  vi.stubGlobal('document', {});
  [first, second] = tabs(2) as [ServiceClient, ServiceClient];
  await signIn(first, market.issuer);
});
afterEach(() => {
  for (const each of leave.splice(0)) each();
  vi.unstubAllGlobals();
});

test('a call for the wallet before names both wallets, and does not blame the service', async () => {
  const { issuer, holder, mint, destination, rule } = market;
  const context = { expected: issuer.signer.address, received: holder.signer.address };
  for (const call of [
    () => first.prepare.issue({ mint, destination, amount: 1n }),
    () => first.proofContext({ rule }),
    () => first.prove(issuer.signer, { rule, witness: issuer.witness }),
  ]) {
    await signIn(first, issuer);
    await signIn(second, holder);
    const message = expect.stringContaining(`now belongs to ${context.received}`);
    await expectRefusal(call(), 'WALLET_MISMATCH', { context, message });
  }
});

test('a subscribed client learns of a sign-in and a sign-out in another tab', async () => {
  leave.push(first.subscribe(() => {}));
  await signIn(second, market.holder);
  await shows(first, market.holder.signer.address);
  await second.logout();
  await shows(first, null);
});

test('the message of another tab is only a reason to ask the service', async () => {
  leave.push(first.subscribe(() => {}));
  const changes = vi.fn();
  leave.push(first.subscribe(changes));
  const session = vi.spyOn(first, 'session');
  const channel = new BroadcastChannel('service:session:https://service.test');
  channel.postMessage({ wallet: market.holder.signer.address });
  await signIn(second, market.issuer);
  channel.close();
  await shows(first, market.issuer.signer.address);
  expect(changes).not.toHaveBeenCalled();
  expect(session).not.toHaveBeenCalled();
});

test('nobody is told outside a page, after the last listener has left, or without a channel', async () => {
  const heard = vi.fn();
  const channel = vi.fn();
  class Blocked {
    constructor() {
      channel();
      throw new Error('no channel');
    }
  }
  const unsubscribe = first.subscribe(heard);
  unsubscribe();
  unsubscribe();
  await signIn(second, market.holder);
  vi.stubGlobal('BroadcastChannel', Blocked);
  leave.push(first.subscribe(heard));
  await second.logout();
  expect(channel).toHaveBeenCalled();
  vi.stubGlobal('document', undefined);
  channel.mockClear();
  leave.push(second.subscribe(heard));
  await signIn(second, market.holder);
  expect(channel).not.toHaveBeenCalled();
  expect(first.getSnapshot().wallet).toBe(market.issuer.signer.address);
});

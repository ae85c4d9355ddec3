/** What happens between the click and the wallet's prompt: nothing over the network, if the operation was made ready before. */
import type { Clock, PlainWallet, PreparedOperation, ServiceClient, ServiceErrorCode } from '@service/sdk';
import { createBindableMint, createTokenAccount, pauseMint } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import { quickClock } from '@service/testing';
import { getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { countingWallet, signal } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { flipped, nodeWith, withValue } from '../support/node.ts';
import { countedCalls, totalOf } from './support/counted-calls.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();

interface Encoded {
  readonly data: [string, string];
  readonly lamports: number;
}
type Change = (account: Encoded) => Encoded;

/** What the client's node and the service return from now on, instead of what they have. */
let changed: Change | null;
let session: object | null;
let hasChallenges: boolean;

let calls: ReturnType<typeof countedCalls>;
let rpc: typeof calls.rpc;
let client: ServiceClient;
/** The number of requests before each prompt of the wallet. */
let before: number[];
let wallet: PlainWallet & { asked: number };

beforeEach(async () => {
  [changed, session, hasChallenges, before] = [null, null, true, []];
  const node = nodeWith(market.world.net, {
    getMultipleAccounts: (result: { value: Encoded[] }) =>
      withValue(
        result,
        result.value.map((account) => (account && changed ? changed(account) : account)),
      ),
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (session && request.url.endsWith('/api/auth/session')) return Response.json(session);
    if (!hasChallenges && request.url.endsWith('/api/auth/challenge')) return Response.json({});
    return market.request(request);
  };
  calls = countedCalls(market.world.net, fetch);
  // Reads of accounts go through the node that can change them, and are counted too.
  rpc = new Proxy(calls.rpc, {
    get: (target, name) =>
      name === 'getMultipleAccounts'
        ? (...args: Parameters<typeof node.getMultipleAccounts>) => {
            calls.add('getMultipleAccounts');
            return node.getMultipleAccounts(...args);
          }
        : Reflect.get(target, name),
  });
  client = market.newClient({ rpc, fetch: calls.fetch });
  const { signer } = market.issuer;
  const counting = countingWallet(signer);
  const note = () => before.push(total());
  wallet = {
    address: signer.address,
    asked: 0,
    async signMessage(message) {
      note();
      const [signatures] = await signer.signMessages([{ content: message, signatures: {} } as never]);
      return new Uint8Array(signatures![signer.address]!);
    },
    signTransaction(wire) {
      note();
      wallet.asked += 1;
      return counting.signTransaction(wire);
    },
  };
});

/** Returns how many requests left since the last time. */
function total(): number {
  const { rpcCalls, requests } = calls.taken();
  return totalOf(rpcCalls) + totalOf(requests);
}

const signIn = () => client.authenticate(wallet, market.deployment.genesisHash);
const transfer = () => ({
  mint: market.mint,
  source: market.source,
  destination: market.destination,
  amount: 1n,
});
const prepared = () => client.prepare.transfer(transfer());

/** Signs in, and returns a transfer that is ready. */
async function readyTransfer(): Promise<PreparedOperation> {
  await signIn();
  const operation = await prepared();
  await client.ready(operation);
  before = [];
  total();
  return operation;
}

/** Ends what the tests sign, so that the next one can begin. */
async function finish({ operationId }: PreparedOperation, by = client): Promise<void> {
  await market.world.created.tick();
  await market.world.finalize();
  await market.world.created.tick();
  await market.live(() => by.waitForOperation(operationId));
}

test('signing in asks the wallet after three requests, and after none if its challenge is there', async () => {
  await signIn();
  expect(before).toEqual([3]);
  before = [];
  const until = await client.prepareSignIn(wallet, market.deployment.genesisHash);
  expect(Number(until) - Date.now() / 1000).toBeGreaterThan(200);
  total();
  const signingIn = signIn();
  // In the same task, without a wait.
  expect(before).toEqual([0]);
  await signingIn;
  total();
  // A challenge is used once.
  await signIn();
  expect(before).toEqual([0, 1]);
});

test('a challenge that could not be renewed is not used', async () => {
  const prepare = () => client.prepareSignIn(wallet, market.deployment.genesisHash);
  await prepare();
  hasChallenges = false;
  await expectRefusal(prepare(), 'UNEXPECTED_RESPONSE');
  await expectRefusal(signIn(), 'UNEXPECTED_RESPONSE');
  expect(before).toEqual([]);
});

/** What can happen in a time, and the share of it that each of the clock's two times shows. */
const PASSING: [string, { now: number; elapsed: number }][] = [
  ['in a while', { now: 1, elapsed: 1 }],
  ['in the sleep of a laptop, which `elapsed` may not count', { now: 1, elapsed: 0 }],
  ['in a while, after which somebody sets the clock back', { now: 0, elapsed: 1 }],
];

/** Returns a client whose time passes only when the test says so. */
function timedClient() {
  let [now, elapsed] = [Date.now(), 0];
  const clock = { ...quickClock(async () => undefined), now: () => now, elapsed: () => elapsed };
  return {
    client: market.newClient({ rpc, fetch: calls.fetch, clock }),
    pass(ms: number, shown: { now: number; elapsed: number } = { now: 1, elapsed: 1 }) {
      now += ms * shown.now;
      elapsed += ms * shown.elapsed;
    },
  };
}

test.each(PASSING)('a challenge that becomes old %s is not used', async (_how, shown) => {
  const { client: late, pass } = timedClient();
  await late.prepareSignIn(wallet, market.deployment.genesisHash);
  pass(245_000, shown);
  total();
  await late.authenticate(wallet, market.deployment.genesisHash);
  expect(before).toEqual([1]);
});

test('a transfer asks the wallet after four requests, and after none if it is ready', async () => {
  await signIn();
  total();
  before = [];
  const cold = await prepared();
  await client.signAndSubmit(wallet, cold);
  // The draft, its accounts, the blockhash and the funds.
  expect(before).toEqual([4]);
  await finish(cold);
  const operation = await readyTransfer();
  const signing = client.signAndSubmit(wallet, operation);
  // In the same task, without a wait.
  expect(before).toEqual([0]);
  expect(await signing).toMatchObject({ state: 'QUEUED' });
  await finish(operation);
});

test('a write asks the wallet once the person confirms, with no request between', async () => {
  await signIn();
  const [shown, confirmed] = [signal(), signal()];
  const onReady = () => {
    shown.send();
    return confirmed.sent;
  };
  const writing = market.live(() => client.transfer(wallet, transfer(), { onReady }));
  await shown.sent;
  before = [];
  total();
  confirmed.send();
  // Microtasks only: they all run before the next task.
  await new Promise((resolve) => setImmediate(resolve));
  expect(before).toEqual([0]);
  expect(await writing).toMatchObject({ state: 'FINALIZED' });
});

test('a proof asks the wallet after ten requests, and after none once the person confirms', async () => {
  const { signer, witness } = await market.party();
  const holder = countingWallet(signer);
  const asking = {
    ...holder,
    signTransaction(wire: Uint8Array) {
      before.push(total());
      return holder.signTransaction(wire);
    },
  };
  const request = { rule: market.rule, witness };
  await client.authenticate(signer, market.deployment.genesisHash);
  total();
  const declining = { ...asking, signTransaction: () => Promise.reject(new Error(String(total()))) };
  const cold = await errorOf(client.prove(declining, request));
  expect(cold).toMatchObject({ code: 'WALLET_REJECTED' });
  expect(String(cold)).toContain('sign the transaction: 10.');
  const onReady = async () => void total();
  await market.live(() => client.prove(asking, request, { onReady }));
  expect(before).toEqual([0]);
});

/** Signs in a client whose time limits a test can end: the newest is that of the person once the operation is ready. */
async function signedInWithLimits() {
  let end: () => void = () => undefined;
  const clock = quickClock(async () => undefined);
  const limit: Clock['limit'] = (ms, aborted) => {
    const ended = signal();
    end = ended.send;
    return Promise.race([ended.sent, clock.limit(ms, aborted)]);
  };
  const other = market.newClient({ fetch: calls.fetch, clock: { ...clock, limit } });
  await other.authenticate(wallet, market.deployment.genesisHash);
  return { other, newestEnd: () => end };
}

test('what the person does not confirm in time expires', async () => {
  const { other, newestEnd } = await signedInWithLimits();
  let late: PreparedOperation | undefined;
  const onReady = (operation: PreparedOperation) => {
    late = operation;
    newestEnd()();
    return new Promise<void>(() => undefined);
  };
  await expectRefusal(other.transfer(wallet, transfer(), { onReady }), 'DRAFT_EXPIRED');
  await expectRefusal(other.signAndSubmit(wallet, late!), 'DRAFT_EXPIRED');
  expect(wallet.asked).toBe(0);
});

test.each(['while the wallet is asked', 'after it was sent'])(
  'what onReady has signed itself does not expire %s',
  async (when) => {
    const { other, newestEnd } = await signedInWithLimits();
    const confirmed = signal();
    const slow = {
      ...wallet,
      async signTransaction(wire: Uint8Array) {
        await confirmed.sent;
        return wallet.signTransaction(wire);
      },
    };
    let own: Promise<unknown> | undefined;
    let signed: PreparedOperation | undefined;
    const onReady = async (operation: PreparedOperation) => {
      const expire = newestEnd();
      signed = operation;
      own = other.signAndSubmit(slow, operation);
      if (when === 'after it was sent') {
        confirmed.send();
        await own;
      }
      expire();
      await new Promise(() => undefined);
    };
    await expectRefusal(other.transfer(slow, transfer(), { onReady }), 'OPERATION_ALREADY_SIGNED');
    confirmed.send();
    expect(await own).toMatchObject({ state: 'QUEUED' });
    await finish(signed!, other);
    expect(wallet.asked).toBe(1);
  },
);

test('nothing gets ready for a wallet that is not signed in any more', async () => {
  await signIn();
  const operation = await prepared();
  await client.logout();
  await expectRefusal(client.ready(operation), 'AUTHENTICATION_REQUIRED');
  const { signer } = await market.party();
  await client.authenticate(signer, market.deployment.genesisHash);
  await expectRefusal(client.ready(operation), 'WALLET_MISMATCH');
  expect(wallet.asked).toBe(0);
});

test('the person has no more time than the operation stays ready, also after slow checks', async () => {
  const limits: number[] = [];
  let elapsed = 0;
  const clock = quickClock(async () => undefined);
  const limit: Clock['limit'] = (ms, aborted) => {
    limits.push(ms);
    return clock.limit(ms, aborted);
  };
  const slow = market.newClient({
    rpc,
    fetch: calls.fetch,
    clock: { ...clock, limit, elapsed: () => elapsed },
  });
  await slow.authenticate(wallet, market.deployment.genesisHash);
  changed = (account) => {
    elapsed = 20_000;
    return account;
  };
  let given: number | undefined;
  const onReady = async () => {
    given = limits.at(-1);
    throw new Error('no');
  };
  await expect(slow.transfer(wallet, transfer(), { onReady })).rejects.toThrow('no');
  expect(given).toBe(10_000);
});

test.each([
  ...PASSING,
  ['in a sleep, after which somebody sets the clock back', { now: -1, elapsed: 0 }] as const,
])('a ready state that becomes old %s is checked again before the wallet is asked', async (_how, shown) => {
  const { client: late, pass } = timedClient();
  await late.authenticate(wallet, market.deployment.genesisHash);
  const operation = await late.prepare.transfer(transfer());
  await late.ready(operation);
  pass(30_001, shown);
  before = [];
  total();
  const signing = late.signAndSubmit(wallet, operation);
  expect(before).toEqual([]);
  await signing;
  expect(before).toHaveLength(1);
  await finish(operation, late);
});

test('a draft that expires during the checks is not signed', async () => {
  const { client: slow, pass } = timedClient();
  await slow.authenticate(wallet, market.deployment.genesisHash);
  for (const call of ['ready', 'signAndSubmit'] as const) {
    const operation = await slow.prepare.transfer(transfer());
    changed = (account) => {
      pass(30_000);
      return account;
    };
    const calling = call === 'ready' ? slow.ready(operation) : slow.signAndSubmit(wallet, operation);
    await expectRefusal(calling, 'DRAFT_EXPIRED');
    changed = null;
  }
  expect(wallet.asked).toBe(0);
});

test('a wallet that declines can be asked again in the same task', async () => {
  const operation = await readyTransfer();
  const declining = { ...wallet, signTransaction: () => Promise.reject(new Error('no')) };
  await expectRefusal(client.signAndSubmit(declining, operation), 'WALLET_REJECTED');
  const signing = client.signAndSubmit(wallet, operation);
  expect(before).toEqual([0]);
  await signing;
  await finish(operation);
});

/** Signs a ready transfer after a change, and expects that nothing is submitted. */
async function refuses(code: ServiceErrorCode, change: () => unknown, asks = 1): Promise<void> {
  const operation = await readyTransfer();
  await change();
  total();
  const error = await errorOf(client.signAndSubmit(wallet, operation));
  const { requests } = calls.taken();
  expect([(error as { code?: string }).code, wallet.asked]).toEqual([code, asks]);
  expect(requests).not.toHaveProperty('POST /api/transactions/submit');
  [changed, session] = [null, null];
  if (asks === 0) return;
  await client.session();
  // The client holds what the wallet has signed.
  await expectRefusal(prepared(), 'SIGNED_OPERATION_PENDING');
  market.world.net.advanceSlots(350);
  await market.world.finalize();
}

const isWallet = ({ data }: Encoded) => data[0] === '';
const ownerChanged: Change = (account) => {
  const bytes = new Uint8Array(getBase64Encoder().encode(account.data[0]));
  const isTokenAccount = bytes.length > 165 && bytes[165] === 2;
  return isTokenAccount
    ? { ...account, data: [getBase64Decoder().decode(flipped(bytes, 33)), 'base64'] }
    : account;
};

test.each<[string, ServiceErrorCode, () => unknown]>([
  ['a blockhash that has expired', 'DRAFT_EXPIRED', () => market.world.net.advanceSlots(200)],
  ['an account that has changed', 'DRAFT_EXPIRED', () => (changed = ownerChanged)],
  [
    'a wallet that has spent its SOL',
    'INSUFFICIENT_FUNDS',
    () => (changed = (account) => (isWallet(account) ? { ...account, lamports: 1 } : account)),
  ],
  ['a session that has ended', 'AUTHENTICATION_REQUIRED', () => (session = { wallet: null })],
  [
    'a session of another wallet',
    'WALLET_MISMATCH',
    () => (session = { wallet: market.holder.signer.address }),
  ],
])('nothing is sent after %s', async (_name, code, change) => refuses(code, change));

test('the wallet is not asked after a sign-out, and another wallet never', async () => {
  await signIn();
  const notReady = await prepared();
  await client.logout();
  await expectRefusal(client.signAndSubmit(wallet, notReady), 'AUTHENTICATION_REQUIRED');
  await refuses('AUTHENTICATION_REQUIRED', () => client.logout(), 0);
  const operation = await readyTransfer();
  const other = countingWallet(market.holder.signer);
  await expectRefusal(client.signAndSubmit(other, operation), 'WALLET_MISMATCH');
  await client.authenticate(market.holder.signer, market.deployment.genesisHash);
  await expectRefusal(client.signAndSubmit(wallet, operation), 'WALLET_MISMATCH');
  expect([other.asked, wallet.asked]).toEqual([0, 0]);
});

test('nothing is sent of a redemption that the chain would refuse since it was made ready', async () => {
  const { deployment, issuer, live, rule, world } = market;
  const { signer } = issuer;
  const chain = { deployment, rpc: world.net.rpc, clock: market.clock() };
  const { mint } = await live(() =>
    createBindableMint(signer, { ...chain, decimals: 2, template: 'security' }),
  );
  await live(() => issuer.client.bindMint(signer, { mint, rule, requireSource: false }));
  const owner = signer.address;
  const { tokenAccount } = await live(() => createTokenAccount(signer, { ...chain, mint, owner }));
  await live(() => issuer.client.issue(signer, { mint, destination: tokenAccount, amount: 5n }));
  await signIn();
  const operation = await client.prepare.redeem({
    mint,
    source: tokenAccount,
    amount: 1n,
    reason: 'redemption',
  });
  await client.ready(operation);
  await live(() => pauseMint(signer, { ...chain, mint }));
  total();
  await expectRefusal(client.signAndSubmit(wallet, operation), 'MINT_PAUSED');
  expect(wallet.asked).toBe(1);
  expect(calls.taken().requests).not.toHaveProperty('POST /api/transactions/submit');
});

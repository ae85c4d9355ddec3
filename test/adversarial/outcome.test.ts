/** waitForOperation trusts the caller's own chain, whatever the service reports. */
import { formatChallenge, operationMessage, wireTransaction } from '@service/protocol';
import type { OperationState, ServiceErrorCode } from '@service/sdk';
import { startCount, type UnderWay, untilIdle } from '@service/test-support/under-way';
import { type Blockhash, createNoopSigner, getBase58Decoder, getBase64Decoder, signBytes } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { type HostileService, hostileService, ORIGIN, refusal } from '../support/hostile-service.ts';
import { type Edits, LOST, nodeWith } from '../support/node.ts';
import { honestWire, useStillChain } from '../support/still-chain.ts';

const chain = useStillChain();
let service: HostileService;
let nextId = 1;
let underWay: UnderWay;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  startService();
  underWay = startCount();
});
afterEach(() => {
  underWay.end();
  vi.useRealTimers();
});

/** Starts a service for a new operation, or the same one after a reload. The client's node makes these edits. */
function startService(edits: Edits = {}, operationId?: string): void {
  const newId = `6f9619ff-8b86-4d01-b42d-${String(nextId++).padStart(12, '0')}`;
  const net = { rpc: nodeWith(chain.net, edits) } as typeof chain.net;
  service = hostileService({ ...chain, net }, { operationId: operationId ?? newId });
}

const latestBlockhash = async () =>
  (await chain.net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value.blockhash;

/** Signs an operation through the client, with the chain's newest blockhash. */
async function sign(kind: keyof typeof chain.kinds = 'TRANSFER'): Promise<void> {
  const { operationId } = service;
  const blockhash = await latestBlockhash();
  service.transaction = await honestWire(chain, chain.kinds[kind], { operationId, blockhash });
  const prepared = await chain.kinds[kind].prepare(service.client);
  await service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
}

/** Lands a transaction without the service. Returns its slot. */
async function land(wire = service.submitted.at(-1)!): Promise<bigint> {
  const encoded = getBase64Decoder().decode(wire) as never;
  await chain.net.rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
  const { slot } = chain.net;
  chain.net.finalize();
  return slot;
}

const signAndLand = () => sign().then(() => land());

/** Sets what the service responds about the operation. */
const respond = (response: () => Response) =>
  service.instead.set(`/api/operations/${service.operationId}`, response);
const report = (state: OperationState, more?: object) => respond(() => service.operation(state, more));
const reportNeverLanded = () => report('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
const reportUnknown = () => respond(() => refusal('NOT_FOUND', 404));

/** Lets pretended time pass, while no digest and no signature is being made. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 100) {
    await untilIdle(underWay);
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** Returns the result of a promise while pretended time passes. */
async function settle(promise: Promise<unknown>, milliseconds = 200_000): Promise<unknown> {
  let result: unknown;
  const done = promise.then(
    (value) => (result = value),
    (error: unknown) => (result = error),
  );
  for (let passed = 0; passed < milliseconds && result === undefined; passed += 100) await pass(100);
  await done;
  return result;
}

const wait = (options: object = {}) =>
  service.client.waitForOperation(service.operationId, { timeoutMs: 20_000, ...options });
/** Waits as after a reload, when the caller passes its wallet. */
const search = (options: object = {}) =>
  wait({ wallet: chain.wallet.address, timeoutMs: 60_000, ...options });

/** Checks that a promise ends with an error of this code and with these other members. */
const expectError = async (promise: Promise<unknown>, code: ServiceErrorCode, more: object = {}) =>
  expect(await settle(promise)).toMatchObject({ code, ...more });
const expectUnknown = (promise: Promise<unknown>, more?: object) =>
  expectError(promise, 'OUTCOME_UNKNOWN', more);
const expectFailed = (promise: Promise<unknown>, context: object = { reason: 'ON_CHAIN_ERROR' }) =>
  expectError(promise, 'OPERATION_FAILED', { context });

describe('an RPC with malformed results', () => {
  const { getTransaction } = LOST;

  it.each<[string, Edits]>([
    ['a transaction without its bytes', { getTransaction: () => ({ slot: 5, meta: { err: null } }) }],
    [
      'a transaction without its result',
      { getTransaction: (found: object | null) => found && { ...found, meta: {} } },
    ],
    ['no list of signatures', { getTransaction, getSignaturesForAddress: () => null }],
    ['no statuses', { getTransaction, getSignatureStatuses: () => ({}) }],
    ['no height', { getTransaction, getEpochInfo: () => ({}) }],
    ['no first block', { ...LOST, getFirstAvailableBlock: () => null }],
  ])('proves nothing with %s, and causes no other error', async (_name, edits) => {
    startService(edits);
    await signAndLand();
    reportNeverLanded();
    chain.net.advanceSlots(200);
    await expectUnknown(wait({ timeoutMs: 10_000 }));
    const { signature } = service.client.getSnapshot().operations.at(-1)!;
    startService(edits, service.operationId);
    reportUnknown();
    const resuming = search({ signature, timeoutMs: 10_000 });
    await pass(1_000);
    chain.net.advanceSlots(250);
    await expectUnknown(resuming);
  });
});

interface LatestBlockhash {
  readonly context: { readonly slot: bigint };
  readonly value: { readonly lastValidBlockHeight: bigint };
}

/** A node that is 100 slots behind when the wallet signs. */
const BEHIND: Edits = {
  getLatestBlockhash: ({ context, value }: LatestBlockhash) => ({
    context: { ...context, slot: Number(context.slot) - 100 },
    value: { ...value, lastValidBlockHeight: Number(value.lastValidBlockHeight) - 100 },
  }),
};

describe('an RPC of many nodes', () => {
  it('does not prove absence when a node was behind while the wallet signed', async () => {
    startService(BEHIND);
    await sign();
    reportNeverLanded();
    chain.net.advanceSlots(100);
    await expectUnknown(wait({ timeoutMs: 10_000 }));
    // It could land all that time.
    await land();
    await expectFailed(wait({ timeoutMs: 10_000 }));
  });
});

describe('a search after a reload', () => {
  it('does not report a draft as unsigned while a node ahead of the RPC may have it', async () => {
    startService(BEHIND);
    report('EXPIRED');
    let isOver = false;
    const searching = search().finally(() => (isOver = true));
    searching.catch(() => undefined);
    await pass(1_000);
    // The blockhash of the node ahead is valid for 20 blocks more.
    chain.net.advanceSlots(130);
    await pass(10_000);
    expect(isOver).toBe(false);
    chain.net.advanceSlots(150);
    await expectError(searching, 'DRAFT_EXPIRED');
  });

  it.each([null, undefined])('reads transactions for which an RPC returns the memo %s', async (memo) => {
    const edits: Edits = {
      getSignaturesForAddress: (found: object[]) => found.map((entry) => ({ ...entry, memo })),
    };
    startService(edits);
    await signAndLand();
    const { operationId } = service;
    // After a reload the page does not know what was signed.
    startService(edits);
    const neverSigned = service.operationId;
    for (const [id, code, more] of [
      [operationId, 'OPERATION_FAILED', { context: { reason: 'ON_CHAIN_ERROR' } }],
      [neverSigned, 'DRAFT_EXPIRED', {}],
    ] as const) {
      service.operationId = id;
      report('EXPIRED');
      const searching = search();
      await pass(1_000);
      chain.net.advanceSlots(400);
      await expectError(searching, code, more);
    }
  });
});

describe('an RPC that never responds', () => {
  const never = () => new Promise(() => undefined);

  it('does not delay a wait beyond its time', async () => {
    startService({ getTransaction: never });
    await sign();
    report('FINALIZED', { slot: 5n, indexed: true });
    for (const call of [wait, search]) {
      const began = performance.now();
      expect(await settle(call({ timeoutMs: 1_000 }), 10_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(performance.now() - began).toBeLessThan(1_500);
    }
  });

  it('does not delay a search after a reload beyond its time', async () => {
    startService({ getSignaturesForAddress: never });
    report('EXPIRED');
    expect(await settle(search({ timeoutMs: 1_000 }), 10_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('causes an error after half a minute if nothing is signed yet', async () => {
    startService({ getGenesisHash: never });
    const began = performance.now();
    expect(await settle(sign(), 60_000)).toMatchObject({ code: 'RPC_ERROR', retryable: true });
    expect(performance.now() - began).toBeLessThan(31_000);
  });
});

describe('FINALIZED', () => {
  it('is trusted when the chain shows it, and reported state by state', async () => {
    await sign('BIND_MINT');
    const states: OperationState[] = [];
    report('SUBMITTED');
    const waiting = wait({ onState: (state: OperationState) => states.push(state) });
    await pass(300);
    const slot = await land();
    const final = { state: 'FINALIZED', slot, indexed: false };
    report('FINALIZED', { slot, indexed: false });
    await pass(1_500);
    // An error would make callers repeat a write that is final.
    expect(await settle(wait({ timeoutMs: 1_000 }))).toMatchObject(final);
    // An abort causes no error either, once the chain has shown the end.
    const controller = new AbortController();
    const aborted = settle(wait({ signal: controller.signal }));
    await pass(1_000);
    controller.abort();
    expect(await aborted).toMatchObject(final);
    report('FINALIZED', { slot, indexed: true });

    expect(await settle(waiting)).toMatchObject({ ...final, indexed: true });
    expect(states).toEqual(['SUBMITTED', 'FINALIZED']);
  });

  it('is not trusted when the chain does not show it', async () => {
    await sign();
    report('FINALIZED', { slot: 5n, indexed: true });
    await expectUnknown(wait());
  });

  it('is not trusted for a transaction that failed on chain', async () => {
    const slot = await signAndLand();
    report('FINALIZED', { slot, indexed: true });
    // Nobody has a pass.
    const programError = { name: 'DESTINATION_PASS_MISSING' };
    await expectFailed(wait(), { reason: 'ON_CHAIN_ERROR', instruction: 1, programError });
  });

  it('is waited for although a listener throws: that error is the page’s and does not end the wait', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const slot = await signAndLand();
    report('FINALIZED', { slot, indexed: true });
    const onState = () => {
      throw new Error('of the page');
    };
    await expectError(wait({ onState }), 'OPERATION_FAILED');
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ message: 'of the page' }));
    reported.mockRestore();
  });

  it('is not trusted with an RPC of another cluster, as after a reload', async () => {
    await signAndLand();
    const { signature, operationId } = service;
    startService({ getGenesisHash: () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }, operationId);
    report('FAILED', { signature, failure: { reason: 'ON_CHAIN_ERROR', message: 'no' } });
    for (const more of [{}, { signature }]) {
      await expectError(search({ timeoutMs: 5_000, ...more }), 'GENESIS_HASH_MISMATCH');
    }
  });

  it('is not trusted for another client’s operation with any transaction', async () => {
    await signAndLand();
    const { signature, operationId } = service;
    startService({}, operationId.replace('6f9619ff', '7f9619ff'));
    report('FINALIZED', { signature, slot: 1n, indexed: true });
    await expectError(search({ timeoutMs: 5_000 }), 'UNEXPECTED_RESPONSE');
  });
});

describe('FAILED and EXPIRED', () => {
  it.each<[string, () => void]>([
    ['NEVER_LANDED', reportNeverLanded],
    [
      'ON_CHAIN_ERROR',
      () => report('FAILED', { slot: 1n, failure: { reason: 'ON_CHAIN_ERROR', message: 'no' } }),
    ],
    ['EXPIRED', () => report('EXPIRED')],
    ['NOT_FOUND', reportUnknown],
  ])('%s is no proof while the transaction can still land', async (_name, respondFalsely) => {
    await sign();
    respondFalsely();
    await expectUnknown(wait());
  });

  it('a landed transaction is final although the service reports it as expired', async () => {
    await sign('BIND_MINT');
    report('EXPIRED');
    const waiting = wait();
    await pass(300);
    await land();
    // The first test bound the mint, so the chain rejects this.
    await expectFailed(waiting);
  });

  it('absence is proven by an expired blockhash and two searches, and not while the node lacks the history', async () => {
    await sign();
    reportNeverLanded();
    chain.net.advanceSlots(140);
    await expectUnknown(wait({ timeoutMs: 10_000 }));

    chain.net.advanceSlots(60);
    chain.net.setFirstAvailableBlock(chain.net.slot);
    await expectUnknown(wait({ timeoutMs: 10_000 }));

    chain.net.setFirstAvailableBlock(0n);
    const started = performance.now();
    await expectFailed(wait({ timeoutMs: 10_000, onState: vi.fn() }), { reason: 'NEVER_LANDED' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(5_000);
  });

  const { getTransaction, getSignaturesForAddress, getSignatureStatuses } = LOST;
  const withoutMemo = (found: object[]) => found.map((entry) => ({ ...entry, memo: null }));

  it.each<[string, Edits]>([
    ['its status is known', { getTransaction, getSignaturesForAddress }],
    ['its memo is in the wallet’s history', { getTransaction, getSignatureStatuses }],
    [
      'a transaction of the wallet has no memo',
      { getTransaction, getSignatureStatuses, getSignaturesForAddress: withoutMemo },
    ],
  ])('absence is not proven while %s', async (_name, edits) => {
    startService(edits);
    await signAndLand();
    reportNeverLanded();
    chain.net.advanceSlots(200);
    await expectUnknown(wait({ timeoutMs: 15_000 }));
  });

  it('absence is not proven by an RPC that fails', async () => {
    await sign();
    reportNeverLanded();
    chain.net.advanceSlots(200);
    chain.net.pause();
    await expectUnknown(wait({ timeoutMs: 10_000 }));
    chain.net.resume();
  });
});

describe('an operation that this client did not sign', () => {
  it('has the state that the service reports, as far as the chain shows it', async () => {
    report('EXPIRED');
    await expectUnknown(wait(), { context: { answer: 'EXPIRED' } });
    reportUnknown();
    // The service could hide what was signed, so its response is not the end.
    await expectUnknown(wait(), { message: expect.stringContaining('the service says nothing about it') });
  });

  it('has certainly expired when this client prepared it and never signed', async () => {
    const { operationId } = service;
    service.transaction = await honestWire(chain, chain.kinds.TRANSFER, { operationId });
    await chain.kinds.TRANSFER.prepare(service.client);
    report('EXPIRED');
    await expectError(wait(), 'DRAFT_EXPIRED');
  });
});

describe('a service that keeps the signed bytes and lands a transaction of its own', () => {
  /** Lands a transaction with the operation's memo that the service's wallet pays for. Returns its signature. */
  async function landOwn(amount: bigint): Promise<string> {
    const { address, keyPair } = chain.other;
    chain.net.airdrop(address, 1_000_000_000n);
    const message = operationMessage({
      wallet: address,
      operationId: service.operationId,
      blockhash: (await latestBlockhash()) as Blockhash,
      instruction: getTransferSolInstruction({
        source: createNoopSigner(address),
        destination: chain.wallet.address,
        amount,
      }),
    });
    const signature = await signBytes(keyPair.privateKey, message);
    await land(wireTransaction(message, signature));
    return getBase58Decoder().decode(signature);
  }

  /** Starts the same service for a page that was reloaded and knows nothing of what was signed. */
  const reload = () => startService({}, service.operationId);

  const failure = { reason: 'ON_CHAIN_ERROR', message: 'no' };
  const own = () => ({ wallet: chain.other.address, slot: 1n });

  it.each<[OperationState, bigint, object]>([
    ['FAILED', 1_000_000_000_000n, { failure }],
    ['FINALIZED', 1_000_000n, { indexed: true }],
  ])('is not trusted when it reports %s', async (state, lamports, more) => {
    await sign();
    reload();
    report(state, { ...own(), signature: await landOwn(lamports), ...more });
    expect(await service.client.session()).toBe(chain.wallet.address);
    await expectUnknown(wait(), {
      context: { operationId: service.operationId, answer: state },
      message: expect.stringContaining('client.authenticate'),
    });
    await expectUnknown(wait({ wallet: chain.wallet.address }));
  });

  it('is not trusted when it makes its wallet the wallet of the session', async () => {
    reload();
    service.instead.set('/api/auth/session', () => Response.json({ wallet: chain.other.address }));
    expect(await service.client.session()).toBe(chain.other.address);
    report('FAILED', { ...own(), signature: await landOwn(1_000_000_000_000n), failure });
    await expectUnknown(wait());
  });

  it('is trusted about the wallet that the caller passes, or that signed in', async () => {
    const slot = await signAndLand();
    const { signature } = service;
    reload();
    report('FAILED', { wallet: chain.wallet.address, kind: 'TRANSFER', slot, signature, failure });
    const context = { reason: 'ON_CHAIN_ERROR', instruction: 1 };
    await expectUnknown(wait());
    await expectFailed(wait({ wallet: chain.wallet.address }), context);
    await signIn();
    await expectFailed(wait(), context);
  });

  it('causes an error for a wallet that is not an address', async () => {
    await expectError(wait({ wallet: 'me' }), 'INVALID_ARGUMENT');
  });

  async function signIn(): Promise<void> {
    const now = BigInt(Math.floor(Date.now() / 1000));
    const { program, genesisHash } = chain.deployment;
    const { address: wallet } = chain.wallet;
    const challengeId = service.operationId;
    const expiresAt = now + 300n;
    const nonce = 'nonce01234567890';
    const site = { origin: ORIGIN, wallet, program, genesisHash };
    const message = formatChallenge({ ...site, nonce, challengeId, issuedAt: now, expiresAt });
    service.instead.set('/api/auth/challenge', () =>
      Response.json({ challengeId, message, expiresAt: `${expiresAt}` }),
    );
    service.instead.set('/api/auth/verify', () => Response.json({ wallet, expiresAt: `${now + 43_200n}` }));
    await service.client.authenticate(chain.wallet, genesisHash);
  }
});

describe('an abort', () => {
  it('of a signed operation leaves its outcome unknown, and no listener', async () => {
    await sign();
    report('SUBMITTED');
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const waiting = wait({ signal: controller.signal });
    await pass(2_000);
    controller.abort();
    await expectUnknown(waiting);
    expect(added.mock.calls.length).toBeGreaterThan(0);
    // kit's RPC adds and removes listeners too; all of ours are removed.
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

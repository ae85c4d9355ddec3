/** A confirmed transaction is shown as progress: by the caller's own RPC alone, with the chain's own pace, and never as a result. */
import { CLOCK_SYSVAR } from '@service/protocol';
import type { Clock, Confirmed, OperationState } from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { type HostileService, hostileService, refusal } from '../support/hostile-service.ts';
import { type Edits, nodeWith, withValue } from '../support/node.ts';
import { honestWire, useStillChain } from '../support/still-chain.ts';

/** The one clock of the client and the chain, in Unix milliseconds. */
let ms = Math.ceil(Date.now() / 1000) * 1000;
const chain = useStillChain({ finalitySlots: 32, now: () => ms });
const clock: Clock = {
  now: () => ms,
  elapsed: () => ms,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  limit: () => new Promise(() => undefined),
};

let service: HostileService;
let nextId = 1;
beforeEach(() => startService());

/** Starts a service for a new operation, or the same one after a reload. The client's node makes these edits. */
function startService(edits: Edits = {}, operationId?: string): void {
  const newId = `6f9619ff-8b86-4d01-b42d-${String(nextId++).padStart(12, '0')}`;
  const net = { rpc: nodeWith(chain.net, edits) } as typeof chain.net;
  service = hostileService({ ...chain, net }, { operationId: operationId ?? newId, clock });
}

/** Opens slots, each of which takes so long. */
function pass(slots: number, slotMs = 400): void {
  for (let slot = 0; slot < slots; slot += 1) {
    ms += slotMs;
    chain.net.advanceSlots(1);
  }
}

async function sign(kind: keyof typeof chain.kinds = 'SUSPEND'): Promise<Uint8Array> {
  const { operationId } = service;
  const latest = await chain.net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const { blockhash } = latest.value;
  service.transaction = await honestWire(chain, chain.kinds[kind], { operationId, blockhash });
  const prepared = await chain.kinds[kind].prepare(service.client);
  await service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
  return service.submitted.at(-1)!;
}

/** Lands signed bytes. Returns their slot, which is neither confirmed nor final. */
async function land(wire: Uint8Array): Promise<bigint> {
  const encoded = Buffer.from(wire).toString('base64') as never;
  await chain.net.rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
  return chain.net.slot;
}

const report = (state: OperationState, more: object = {}) =>
  service.instead.set(`/api/operations/${service.operationId}`, () => service.operation(state, more));

/** Waits for the operation, and notes what is reported, in order. */
function follow(options: object = {}) {
  const seen: Confirmed[] = [];
  const onConfirmed = vi.fn((confirmed: Confirmed) => void seen.push(confirmed));
  const controller = new AbortController();
  let result: unknown;
  const waiting = service.client.waitForOperation(service.operationId, {
    onConfirmed,
    signal: controller.signal,
    ...options,
  });
  const ended = waiting.then(
    (value) => (result = value),
    (error: unknown) => (result = error),
  );
  const confirmed = () => vi.waitFor(() => expect(onConfirmed).toHaveBeenCalled(), { interval: 1 });
  return { seen, onConfirmed, confirmed, controller, ended, result: () => result };
}

/** Lets a wait go through some rounds. */
async function rounds(): Promise<void> {
  for (let round = 0; round < 100; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const entry = () => service.client.getSnapshot().operations[0];

describe('a write', () => {
  test.each([
    [400, 12],
    [2_000, 62],
  ])(
    'at %i ms a slot is final %i s after it is confirmed, and has no result before',
    async (slotMs, seconds) => {
      pass(40, slotMs);
      const wire = await sign();
      const changes = vi.fn();
      service.client.subscribe(changes);
      report('SUBMITTED');
      const wait = follow();
      const slot = await land(wire);
      await rounds();
      expect(wait.seen).toEqual([]);
      pass(1, slotMs);
      const seenAt = ms;
      await wait.confirmed();
      // 31 slots are left. The chain's clocks have whole seconds.
      expect(wait.seen).toEqual([{ slot, finalIn: expect.any(Number), seenAt }]);
      expect(Math.abs(wait.seen[0]!.finalIn! - seconds)).toBeLessThanOrEqual(1);
      expect(entry()).toMatchObject({ state: 'SUBMITTED', confirmed: wait.seen[0] });
      expect(Object.isFrozen(entry()!.confirmed)).toBe(true);
      // A later state of the service keeps it, and no result comes before the chain is final.
      report('FINALIZED', { slot, indexed: true });
      pass(30, slotMs);
      await rounds();
      expect(entry()).toMatchObject({ state: 'FINALIZED', confirmed: wait.seen[0] });
      expect(wait.result()).toBeUndefined();
      pass(2, slotMs);
      await wait.ended;
      expect(wait.result()).toMatchObject({ state: 'FINALIZED', slot, indexed: true });
      expect(wait.onConfirmed).toHaveBeenCalledOnce();
      expect(service.client.getSnapshot().operations).toEqual([]);
    },
  );

  test('that was confirmed can still end without effect', async () => {
    let isShown = true;
    let slot = 0n;
    const status = () => ({ slot, confirmations: 1n, err: null, confirmationStatus: 'confirmed' });
    startService({
      getSignatureStatuses: (result: object) => (isShown ? withValue(result, [status()]) : result),
    });
    await sign();
    slot = chain.net.slot;
    report('SUBMITTED');
    const wait = follow();
    await wait.confirmed();
    // Its block is on a fork that the cluster leaves.
    isShown = false;
    report('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    while (wait.result() === undefined) {
      pass(60);
      await rounds();
    }
    expect(wait.result()).toMatchObject({ code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } });
    expect(wait.onConfirmed).toHaveBeenCalledOnce();
  });

  test('that fails on chain is not shown as confirmed', async () => {
    // Nobody has a pass.
    const wire = await sign('TRANSFER');
    report('SUBMITTED');
    const wait = follow();
    await land(wire);
    pass(1);
    await rounds();
    pass(32);
    await wait.ended;
    expect(wait.result()).toMatchObject({ code: 'OPERATION_FAILED' });
    expect(wait.seen).toEqual([]);
  });

  test('goes on although the listener throws: that error is the page’s', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const failure = new Error('of the page');
    const wire = await sign();
    report('SUBMITTED');
    const wait = follow({
      onConfirmed: () => {
        throw failure;
      },
    });
    await land(wire);
    pass(1);
    await vi.waitFor(() => expect(reported).toHaveBeenCalledWith(failure), { interval: 1 });
    reported.mockRestore();
    pass(32);
    await rounds();
    report('FINALIZED', { slot: chain.net.slot, indexed: true });
    await wait.ended;
    expect(wait.result()).toMatchObject({ state: 'FINALIZED' });
  });

  test('asks the RPC for no progress that nobody sees', async () => {
    const asked = vi.fn((result: object) => result);
    startService({ getSignatureStatuses: asked });
    const wire = await sign();
    report('SUBMITTED');
    const wait = follow({ onConfirmed: undefined });
    await land(wire);
    pass(1);
    await rounds();
    const before = asked.mock.calls.length;
    const unsubscribe = service.client.subscribe(() => undefined);
    await vi.waitFor(() => expect(entry()?.confirmed).toBeDefined(), { interval: 1 });
    unsubscribe();
    expect([before, asked.mock.calls.length]).toEqual([0, 1]);
    wait.controller.abort();
    await wait.ended;
  });
});

describe('the estimate', () => {
  const clockAt = (slot: bigint, time: bigint) => {
    const data = Buffer.alloc(40);
    data.writeBigUInt64LE(slot);
    data.writeBigInt64LE(time, 32);
    return { data: [data.toString('base64'), 'base64'], executable: false, lamports: 1, owner: CLOCK_SYSVAR };
  };
  /** A node whose clocks are these. */
  const clocks = (newest: readonly [bigint, bigint], final: readonly [bigint, bigint]): Edits => ({
    getMultipleAccounts(result: object, params) {
      const [addresses, { commitment }] = params as [string[], { commitment?: string }];
      if (addresses.length > 1 || addresses[0] !== CLOCK_SYSVAR) return result;
      return withValue(result, [clockAt(...(commitment === 'confirmed' ? newest : final))]);
    },
  });
  const time = 2_000_000_000n;

  test.each<[string, Edits]>([
    ['has clocks that stand still', clocks([9n, time], [9n, time])],
    ['has clocks that go back', clocks([41n, time], [9n, time + 1n])],
    ['had its time set', clocks([41n, time], [9n, time - 3_600n])],
    ['has no clock', { getMultipleAccounts: (result: object) => withValue(result, [null]) }],
    [
      'fails',
      {
        getMultipleAccounts: () => {
          throw new Error('down');
        },
      },
    ],
  ])('is null if the RPC %s', async (_name, edits) => {
    const wire = await sign();
    const { operationId, signature } = service;
    await land(wire);
    pass(1);
    startService(edits, operationId);
    report('SUBMITTED', { signature });
    const wait = follow({ signature, wallet: chain.wallet.address });
    await wait.confirmed();
    expect(wait.seen[0]!.finalIn).toBeNull();
    wait.controller.abort();
    await wait.ended;
  });
});

describe('a hostile service', () => {
  test.each<OperationState>(['SUBMITTED', 'FINALIZED', 'UNRESOLVED'])(
    'cannot cause it by reporting %s',
    async (state) => {
      await sign();
      report(state, { slot: chain.net.slot, indexed: true });
      const wait = follow();
      await rounds();
      expect(wait.seen).toEqual([]);
      expect(entry()).toMatchObject({ state });
      expect(entry()).not.toHaveProperty('confirmed');
      wait.controller.abort();
      await wait.ended;
    },
  );

  test('cannot cause it by naming another transaction of the wallet, which is confirmed', async () => {
    await land(await sign());
    pass(1);
    const { signature } = service;
    startService();
    await service.client.session();
    service.client.subscribe(() => undefined);
    report('SUBMITTED', { signature });
    const wait = follow({ wallet: chain.wallet.address });
    await rounds();
    expect(entry()).toMatchObject({ state: 'SUBMITTED' });
    expect(entry()).not.toHaveProperty('confirmed');
    expect(wait.seen).toEqual([]);
    wait.controller.abort();
    await wait.ended;
  });

  test('cannot prevent it by hiding the operation', async () => {
    const wire = await sign();
    service.instead.set(`/api/operations/${service.operationId}`, () => refusal('NOT_FOUND', 404));
    const wait = follow();
    await land(wire);
    pass(1);
    await wait.confirmed();
    wait.controller.abort();
    await wait.ended;
  });

  test('and an RPC of another cluster: after a reload, nothing counts that it shows', async () => {
    await land(await sign());
    pass(1);
    const { operationId, signature } = service;
    // It is slow to say so.
    const getGenesisHash = async () => {
      await rounds();
      return '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
    };
    startService({ getGenesisHash }, operationId);
    report('SUBMITTED', { signature });
    const wait = follow({ signature, wallet: chain.wallet.address });
    await wait.ended;
    await rounds();
    expect(wait.result()).toMatchObject({ code: 'GENESIS_HASH_MISMATCH' });
    expect(wait.seen).toEqual([]);
  });
});

test('a function of /chain reports it, too', async () => {
  pass(40);
  const seen: Confirmed[] = [];
  const onConfirmed = (confirmed: Confirmed) => void seen.push(confirmed);
  const { deployment, rule } = chain;
  const rpc = nodeWith(chain.net, {});
  let isDone = false;
  const options = { deployment, rpc, clock, rule, lamports: 5n, onConfirmed };
  const funding = fundRuleSet(chain.wallet, options).finally(() => (isDone = true));
  await vi.waitFor(
    async () => {
      pass(1);
      await rounds();
      expect(seen).toHaveLength(1);
    },
    { interval: 1 },
  );
  expect([seen[0]!.finalIn! > 5, isDone]).toEqual([true, false]);
  pass(40);
  await funding;
  expect(seen).toHaveLength(1);
});

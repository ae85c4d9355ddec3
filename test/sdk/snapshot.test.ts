/** What pages subscribe to: the session and the operations under way, through a real signing against a real cluster. */

import type { ClientSnapshot } from '@service/sdk';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { type HostileService, hostileService } from '../support/hostile-service.ts';
import { honestWire, OPERATION_ID, useStillChain } from '../support/still-chain.ts';

const chain = useStillChain();
let service: HostileService;
beforeEach(async () => {
  service = hostileService(chain, { transaction: await honestWire(chain, chain.kinds.BIND_MINT) });
});

const prepare = () => chain.kinds.BIND_MINT.prepare(service.client);

/** Collects every snapshot from now on. */
function watch(): ClientSnapshot[] {
  const seen: ClientSnapshot[] = [];
  service.client.subscribe(() => seen.push(service.client.getSnapshot()));
  return seen;
}

describe('a snapshot', () => {
  test('is frozen, and the same object while nothing changes', async () => {
    const { getSnapshot } = service.client;
    const first = getSnapshot();
    expect(first).toEqual({ wallet: null, operations: [] });
    expect(getSnapshot()).toBe(first);
    await service.client.session();
    const second = getSnapshot();
    expect(second).not.toBe(first);
    expect(second.wallet).toBe(chain.wallet.address);
    await service.client.session();
    expect(getSnapshot()).toBe(second);
    await prepare();
    const third = getSnapshot();
    expect(third.operations).toHaveLength(1);
    for (const part of [first, second, third, third.operations, third.operations[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    // The same draft again changes nothing.
    await prepare();
    expect(getSnapshot()).toBe(third);
  });

  test('has an operation from its draft to its proven end, each state once', async () => {
    const seen = watch();
    await service.client.signAndSubmit(countingWallet(chain.wallet), await prepare());
    const wire = Buffer.from(service.submitted.at(-1)!).toString('base64') as never;
    await chain.net.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    const { slot } = chain.net;
    chain.net.finalize();
    const path = `/api/operations/${OPERATION_ID}`;
    service.instead.set(path, () => service.operation('FINALIZED', { slot, indexed: true }));
    await service.client.waitForOperation(OPERATION_ID);
    const states = seen.map(({ operations }) => operations.map(({ state }) => state).join());
    expect(states).toEqual(['', 'DRAFT', 'SIGNED', 'QUEUED', 'FINALIZED', '']);
    // The wallet's own signature is there before the bytes leave, so that it can be kept with the id.
    const { signature } = service;
    const signatures = seen.map(({ operations }) => operations[0]?.signature);
    expect(signatures).toEqual([undefined, undefined, signature, signature, signature, undefined]);
    const operation = { operationId: OPERATION_ID, kind: 'BIND_MINT', wallet: chain.wallet.address };
    expect(seen[1]!.operations[0]).toMatchObject(operation);
    // A late response is about the past.
    service.instead.set(path, () => service.operation('QUEUED'));
    const late = new AbortController();
    const asking = { signal: late.signal, onState: () => late.abort() };
    await expect(service.client.waitForOperation(OPERATION_ID, asking)).rejects.toThrow();
    expect(service.client.getSnapshot().operations).toEqual([]);
  });

  test('loses drafts that have expired, when the next one begins', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await prepare();
      // The date of the device says that the draft is young.
      vi.advanceTimersByTime(90_000);
      vi.setSystemTime(Date.now() - 90_000);
      service.operationId = OPERATION_ID.replace('6f', '7f');
      await prepare();
      const { operations } = service.client.getSnapshot();
      expect(operations.map(({ operationId }) => operationId)).toEqual([service.operationId]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('listeners', () => {
  test('that throw or unsubscribe stop no other, and unsubscribed ones are not called', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const heard: string[] = [];
    const { subscribe } = service.client;
    const failure = new Error('a page’s mistake');
    subscribe(() => {
      throw failure;
    });
    const leave: (() => void)[] = [];
    leave.push(
      subscribe(() => {
        heard.push('first');
        // During the calls: the second one is not called any more.
        leave[1]!();
      }),
      subscribe(() => heard.push('second')),
    );
    const twice = () => heard.push('twice');
    const once = subscribe(twice);
    subscribe(twice);
    once();
    once();
    await service.client.session();
    expect(heard).toEqual(['first', 'twice']);
    expect(reported.mock.calls).toEqual([[failure]]);
    reported.mockRestore();
  });
});

/** What pages subscribe to: the session and the operations under way, through a real signing against a real cluster. */

import type { ClientSnapshot } from '@service/sdk';
import { getBase58Decoder } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HostileService, hostileService, operationAnswer } from '../support/hostile-service.ts';
import { honestMessage, type Kind, kindsOn, OPERATION_ID, unsigned } from '../support/kinds.ts';
import { countingWallet } from '../support/offer.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

let chain: StillChain;
let binding: Kind;
let service: HostileService;
beforeAll(async () => {
  chain = await stillChain();
  binding = kindsOn(chain).find(({ intent }) => intent.kind === 'BIND_MINT')!;
});
afterAll(() => chain?.stop());
beforeEach(async () => {
  service = hostileService(chain);
  service.operationId = OPERATION_ID;
  service.transaction = unsigned(await honestMessage(chain, binding.intent));
});

/** Every snapshot from now on. */
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
    await binding.prepare(service.client);
    const third = getSnapshot();
    expect(third.operations).toHaveLength(1);
    for (const part of [first, second, third, third.operations, third.operations[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    // The same draft again is no change.
    await binding.prepare(service.client);
    expect(getSnapshot()).toBe(third);
  });

  test('follows an operation from its draft to its proven end, each state once', async () => {
    const seen = watch();
    const prepared = await binding.prepare(service.client);
    await service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
    const wire = service.submitted.at(-1)!;
    await chain.net.rpc
      .sendTransaction(Buffer.from(wire).toString('base64') as never, {
        encoding: 'base64',
        skipPreflight: true,
      })
      .send();
    const { slot } = chain.net;
    chain.net.finalize();
    service.instead.set(`/api/operations/${OPERATION_ID}`, () =>
      operationAnswer(service.record('FINALIZED', { slot, indexed: true })),
    );
    await service.client.waitForOperation(OPERATION_ID);
    expect(seen.map(({ operations }) => operations.map(({ state }) => state).join())).toEqual([
      '',
      'DRAFT',
      'SIGNED',
      'QUEUED',
      'FINALIZED',
      '',
    ]);
    // The wallet's own signature, from before the bytes leave: to be kept beside the id.
    const signature = getBase58Decoder().decode(wire.slice(1, 65));
    expect(seen.map(({ operations }) => operations[0]?.signature)).toEqual([
      undefined,
      undefined,
      signature,
      signature,
      signature,
      undefined,
    ]);
    expect(seen[1]!.operations[0]).toMatchObject({
      operationId: OPERATION_ID,
      kind: 'BIND_MINT',
      wallet: chain.wallet.address,
    });
    // A late answer tells of the past.
    service.instead.set(`/api/operations/${OPERATION_ID}`, () => operationAnswer(service.record('QUEUED')));
    const late = new AbortController();
    const asking = { signal: late.signal, onState: () => late.abort() };
    await expect(service.client.waitForOperation(OPERATION_ID, asking)).rejects.toThrow();
    expect(service.client.getSnapshot().operations).toEqual([]);
  });

  test('loses drafts that have expired, when the next one begins', async () => {
    await binding.prepare(service.client);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 91_000 });
    try {
      service.operationId = OPERATION_ID.replace('6f', '7f');
      await binding.prepare(service.client);
      const { operations } = service.client.getSnapshot();
      expect(operations.map(({ operationId }) => operationId)).toEqual([service.operationId]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('listeners', () => {
  test('that throw or leave stop nobody else, and those that left hear nothing', async () => {
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
        // While they are told: the second one is not told any more.
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

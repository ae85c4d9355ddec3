/** Taking up operations after a reload, on a real service and cluster: nothing is remembered, nothing is signed. */

import type { OperationState, PreparedOperation } from '@service/sdk';
import { ServiceClient } from '@service/sdk';
import { createSolanaRpcFromTransport, type RpcTransport, type Signature } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { countingWallet } from '../support/offer.ts';
import { type Market, startMarket } from './support/market.ts';

let market: Market;
/** The page before the reload. */
let before: ServiceClient;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market?.close());
beforeEach(async () => {
  before = market.newClient();
  await before.authenticate(market.issuer.signer, market.deployment.genesisHash);
});

/** A page after the reload, signed in again; the service may lie to it, and its RPC, too. */
async function reloaded(
  lie: (record: Record<string, unknown>, status: number) => Response | null = () => null,
  rpc = market.world.net.rpc,
  signer = market.issuer.signer,
): Promise<ServiceClient> {
  const client = market.newClient({
    rpc,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const answer = await market.world.created.app.request(request);
      if (!request.url.includes('/api/operations/')) return answer;
      const body = (await answer.clone().json()) as Record<string, unknown>;
      return lie(body, answer.status) ?? answer;
    },
  });
  await client.authenticate(signer, market.deployment.genesisHash);
  return client;
}

type Answer = { readonly result: unknown };

/** The cluster through a node that answers otherwise. */
function node(change: (method: string, answer: Answer, params: readonly unknown[]) => unknown) {
  return createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    const answer = (await market.world.net.transport(request)) as Answer;
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    return change(method, answer, params);
  }) as RpcTransport) as never;
}

const prepare = (client = before): Promise<PreparedOperation> =>
  client.prepare.transfer({
    mint: market.mint,
    source: market.source,
    destination: market.destination,
    amount: 1n,
  });

/** What the service calls a draft that nobody signed. */
const asExpired = ({
  signature: _signature,
  slot: _slot,
  indexed: _indexed,
  ...record
}: Record<string, unknown>) => Response.json({ ...record, state: 'EXPIRED' });

describe('an operation that was signed', () => {
  test('before the reload is waited for, once signed and never again', async () => {
    const wallet = countingWallet(market.issuer.signer);
    const prepared = await prepare();
    await before.signAndSubmit(wallet, prepared);
    const client = await reloaded();
    const states: OperationState[] = [];
    const final = await market.live(() =>
      client.waitForOperation(prepared.operationId, { onState: (state) => states.push(state) }),
    );
    expect(final).toMatchObject({ state: 'FINALIZED', indexed: true, operationId: prepared.operationId });
    expect(states.at(-1)).toBe('FINALIZED');
    expect(new Set(states).size).toBe(states.length);
    // Again, and by the page that signed it.
    expect(await client.waitForOperation(prepared.operationId)).toEqual(final);
    expect(await before.waitForOperation(prepared.operationId)).toEqual(final);
    expect(wallet.asked).toBe(1);
  });

  test.each([
    ['EXPIRED', (record: Record<string, unknown>) => asExpired(record)],
    [
      'unknown to it',
      () => Response.json({ error: { code: 'NOT_FOUND', message: '', requestId: '' } }, { status: 404 }),
    ],
  ])('and that the service calls %s is found on the chain', async (_name, lie) => {
    const prepared = await prepare();
    await before.signAndSubmit(market.issuer.signer, prepared);
    await market.live(() => before.waitForOperation(prepared.operationId));
    const client = await reloaded(lie);
    // The chain has it; only the service's index does not say so.
    const { operationId } = prepared;
    const final = await client.waitForOperation(operationId, { timeoutMs: 1_500 });
    expect(final).toMatchObject({ state: 'FINALIZED', operationId, kind: 'TRANSFER', indexed: false });
  });

  test('and kept back is proven never to have landed, by the signature that was kept', async () => {
    const keeping = market.newClient({
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url.endsWith('/api/transactions/submit')) return Response.json({});
        return market.world.created.app.request(request);
      },
    });
    await keeping.authenticate(market.issuer.signer, market.deployment.genesisHash);
    const prepared = await prepare(keeping);
    const { operationId } = prepared;
    await expectRefusal(keeping.signAndSubmit(market.issuer.signer, prepared), 'OUTCOME_UNKNOWN');
    const { signature } = keeping.getSnapshot().operations.at(-1)!;
    const client = await reloaded();
    const { signature: other } = await client.fetchReceipt(market.issued);
    await expectRefusal(
      client.waitForOperation(operationId, { signature: other as Signature }),
      'INVALID_ARGUMENT',
      { context: { field: 'signature' } },
    );
    const resumed = client.waitForOperation(operationId, { signature });
    await market.live(async () => {
      const timer = setInterval(() => market.world.net.advanceSlots(20), 20);
      await expectRefusal(resumed, 'OPERATION_FAILED', {
        context: { reason: 'NEVER_LANDED' },
        message: expect.stringContaining('no fee was paid'),
      });
      clearInterval(timer);
    });
  });

  test('and has failed on chain is told so although the service calls it expired', async () => {
    const request = { mint: market.mint, source: market.source, destination: market.destination };
    const prepared = await before.prepare.transfer({ ...request, amount: 1_000_000n });
    await before.signAndSubmit(market.issuer.signer, prepared);
    await market.live(() => expectRefusal(before.waitForOperation(prepared.operationId), 'OPERATION_FAILED'));
    const client = await reloaded(asExpired);
    await expectRefusal(client.waitForOperation(prepared.operationId), 'OPERATION_FAILED', {
      context: { reason: 'ON_CHAIN_ERROR', programError: { name: 'INSUFFICIENT_FUNDS' } },
    });
  });
});

describe('a draft', () => {
  test('of this very client is not waited for', async () => {
    const { operationId } = await prepare();
    await expectRefusal(before.waitForOperation(operationId), 'OPERATION_NOT_SIGNED', {
      context: { operationId },
    });
  });

  test('of this very client is searched for on the chain when the caller has a signature', async () => {
    const signed = await prepare();
    const { signature } = await before.signAndSubmit(market.issuer.signer, signed);
    await market.live(() => before.waitForOperation(signed.operationId));
    const { operationId } = await prepare();
    // The service could have given a new draft the id of an operation that was signed before a reload.
    await expectRefusal(
      before.waitForOperation(operationId, { signature: signature as Signature }),
      'INVALID_ARGUMENT',
      {
        context: { field: 'signature' },
      },
    );
  });

  test('that a wallet is being asked to sign is waited for', async () => {
    const prepared = await prepare();
    const { operationId } = prepared;
    const honest = countingWallet(market.issuer.signer);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const wallet = {
      ...honest,
      async signTransaction(wire: Uint8Array) {
        open();
        await answered;
        return honest.signTransaction(wire);
      },
    };
    const signing = before.signAndSubmit(wallet, prepared);
    await opened;
    await market.live(async () => {
      const waiting = before.waitForOperation(operationId, {
        onState: (state) => state === 'DRAFT' && answer(),
      });
      expect(await waiting).toMatchObject({ state: 'FINALIZED', operationId });
    });
    await signing;
  });

  test('is believed unsigned when nothing that was signed can land any more, and not before', async () => {
    const { operationId } = await prepare();
    const client = await reloaded(asExpired);
    const young = client.waitForOperation(operationId, { timeoutMs: 800 });
    await expectRefusal(young, 'OUTCOME_UNKNOWN', { context: { answer: 'EXPIRED' } });

    const states: OperationState[] = [];
    const resumed = client.waitForOperation(operationId, { onState: (state) => states.push(state) });
    let isOver = false;
    resumed
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    // Of an RPC whose history reaches back to when the caller says, too.
    const first = market.world.net.slot - 300n;
    const pruned = await reloaded(
      asExpired,
      node((method, answer) => (method === 'getFirstAvailableBlock' ? { ...answer, result: first } : answer)),
    );
    const preparedAt = BigInt(Math.floor(Date.now() / 1000)) - 5n;
    const known = pruned.waitForOperation(operationId, { preparedAt });
    await market.live(async () => {
      const timer = setInterval(() => market.world.net.advanceSlots(20), 20);
      await Promise.all(
        [resumed, known].map((each) =>
          expectRefusal(each, 'DRAFT_EXPIRED', { message: expect.stringContaining('never signed') }),
        ),
      );
      clearInterval(timer);
    });
    expect(states).toEqual(['EXPIRED']);
  });

  test('that is signed meanwhile, by another page, is waited for', async () => {
    const prepared = await prepare();
    const client = await reloaded();
    const states: OperationState[] = [];
    await market.live(async () => {
      const resumed = client.waitForOperation(prepared.operationId, {
        onState: (state) => {
          states.push(state);
          if (state === 'DRAFT') void before.signAndSubmit(market.issuer.signer, prepared);
        },
      });
      expect(await resumed).toMatchObject({ state: 'FINALIZED' });
    });
    expect(states[0]).toBe('DRAFT');
  });

  test('is not believed unsigned by an RPC whose history is too short, that cannot search or does not go on', async () => {
    const { operationId } = await prepare();
    const changes: Parameters<typeof node>[0][] = [
      (method, answer) =>
        method === 'getFirstAvailableBlock' ? { ...answer, result: market.world.net.slot } : answer,
      (method, answer) => {
        if (method === 'getSignaturesForAddress') throw new TypeError('fetch failed');
        return answer;
      },
      (method, answer) =>
        method === 'getEpochInfo'
          ? { ...answer, result: { ...(answer.result as object), blockHeight: 1n } }
          : answer,
    ];
    const clients = await Promise.all(changes.map((change) => reloaded(asExpired, node(change))));
    const timer = setInterval(() => market.world.net.advanceSlots(50), 20);
    const results = await Promise.allSettled(
      clients.map((client) => client.waitForOperation(operationId, { timeoutMs: 5_000 })),
    );
    clearInterval(timer);
    const refused = { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN' } };
    expect(results).toMatchObject([refused, refused, refused]);
  });
});

test('an operation that was signed and is not found is not called unsigned', async () => {
  const prepared = await prepare();
  const { operationId } = prepared;
  await before.signAndSubmit(market.issuer.signer, prepared);
  await market.live(() => before.waitForOperation(operationId));
  const { slot } = market.world.net;
  const forgets = (method: string, answer: Answer): unknown => {
    if (method === 'getTransaction') return { ...answer, result: null };
    return method === 'getSignaturesForAddress' ? { ...answer, result: [] } : answer;
  };
  const now = Math.floor(Date.now() / 1000);
  const young = { createdAt: `${now + 30}`, expiresAt: `${now + 120}` };
  const tooEarly = {
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: 1 },
  };
  const { holder, issuer } = market;
  const record = { operationId, kind: 'TRANSFER', createdAt: '1', expiresAt: '91' };
  const wallet = issuer.signer.address;
  const clients = await Promise.all([
    // By a service that makes it younger than the history of the RPC.
    reloaded(
      (told) => asExpired({ ...told, ...young }),
      node((method, answer) =>
        method === 'getFirstAvailableBlock' ? { ...answer, result: slot - 10n } : forgets(method, answer),
      ),
    ),
    // By a node that is behind.
    reloaded(
      asExpired,
      node((method, answer, params) => {
        const asOf = (params[1] as { minContextSlot?: bigint } | undefined)?.minContextSlot ?? 0n;
        return method === 'getSignaturesForAddress' && asOf > slot - 50n
          ? { jsonrpc: '2.0', id: '1', error: tooEarly }
          : forgets(method, answer);
      }),
    ),
    // When another account of the person has signed in: an honest service tells it nothing, another one the truth.
    reloaded(undefined, undefined, holder.signer),
    reloaded(() => asExpired({ ...record, wallet }), undefined, holder.signer),
  ]);
  const timer = setInterval(() => market.world.net.advanceSlots(50), 20);
  const results = await Promise.allSettled(
    clients.map((client) => client.waitForOperation(operationId, { timeoutMs: 5_000 })),
  );
  clearInterval(timer);
  const refused = (says: string) => ({
    status: 'rejected',
    reason: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining(says) },
  });
  const ofAnother = refused('Pass the wallet that it was prepared for');
  expect(results).toMatchObject([refused('5000 ms'), refused('5000 ms'), ofAnother, ofAnother]);
});

describe('what cannot be known', () => {
  test('without a wallet: who signed is nobody’s word', async () => {
    const { operationId } = await prepare();
    const client = await reloaded();
    await client.logout();
    const stranger = new ServiceClient({
      deployment: market.deployment,
      baseUrl: 'https://site.example',
      rpc: market.world.net.rpc,
      fetch: async () =>
        Response.json({
          operationId,
          kind: 'TRANSFER',
          wallet: market.issuer.signer.address,
          state: 'EXPIRED',
          createdAt: '1',
          expiresAt: '2',
        }),
    });
    await expectRefusal(stranger.waitForOperation(operationId), 'OUTCOME_UNKNOWN', {
      message: expect.stringContaining('client.authenticate'),
    });
    await expect(client.waitForOperation('mine')).rejects.toMatchObject({
      context: { field: 'operationId' },
    });
    await expect(client.waitForOperation(operationId, { wallet: 'me' as never })).rejects.toMatchObject({
      context: { field: 'wallet' },
    });
  });

  test('an abort ends it at once and leaves no listener', async () => {
    const { operationId } = await prepare();
    const client = await reloaded();
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const resumed = client.waitForOperation(operationId, {
      signal: controller.signal,
      onState: () => setTimeout(() => controller.abort(), 50),
    });
    await expectRefusal(resumed, 'ABORTED');
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

describe('an idempotency key of the caller', () => {
  test('of a draft that the service calls expired is no proof that nobody signed it', async () => {
    const key = 'kept-over-a-crash-0001';
    const request = { mint: market.mint, source: market.source, destination: market.destination, amount: 1n };
    const { operationId } = await before.prepare.transfer(request, { idempotencyKey: key });
    // Two pages share the key: this one cannot know what the other did.
    const lied = market.newClient({
      fetch: async (input, init) => {
        const sent = new Request(input, init);
        const answer = await market.world.created.app.request(sent);
        if (!sent.url.endsWith('/api/transfers') && !sent.url.includes('/api/operations/')) return answer;
        const { transaction: _transaction, ...record } = (await answer.json()) as Record<string, unknown>;
        return asExpired(record);
      },
    });
    await lied.authenticate(market.issuer.signer, market.deployment.genesisHash);
    await expectRefusal(lied.prepare.transfer(request, { idempotencyKey: key }), 'OUTCOME_UNKNOWN', {
      context: { operationId, answer: 'EXPIRED' },
      message: expect.stringContaining('client.waitForOperation'),
    });
    // Under a key of its own nobody else can have signed it.
    await expectRefusal(lied.prepare.transfer(request), 'DRAFT_EXPIRED');
  });

  test('keeps waitForOperation from believing EXPIRED, where a key of its own does not', async () => {
    const request = { mint: market.mint, source: market.source, destination: market.destination, amount: 1n };
    const client = await reloaded(asExpired);
    const shared = await client.prepare.transfer(request, { idempotencyKey: 'kept-over-a-crash-0002' });
    await expectRefusal(
      client.waitForOperation(shared.operationId, { timeoutMs: 1_000 }),
      'OUTCOME_UNKNOWN',
      { context: { answer: 'EXPIRED' } },
    );
    const own = await client.prepare.transfer(request);
    await expectRefusal(client.waitForOperation(own.operationId), 'DRAFT_EXPIRED');
    // It was reported, so the answer stays the same.
    await expectRefusal(client.waitForOperation(own.operationId), 'DRAFT_EXPIRED');
  });
});

/** Waiting for operations after a reload, on a real service and cluster. The page knows nothing of before and signs nothing. */

import type { OperationState, ServiceClient, ServiceClientOptions } from '@service/sdk';
import { getSolanaErrorFromJsonRpcError, type Signature } from '@solana/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { asExpired, changedResponses } from '../support/changed-responses.ts';
import { countingWallet, slowWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { refusal } from '../support/hostile-service.ts';
import { type Edits, LOST, nodeWith } from '../support/node.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
/** The page before the reload. */
let before: ServiceClient;
beforeEach(async () => {
  before = await signedIn();
});

async function signedIn(
  options: Partial<ServiceClientOptions> = {},
  signer = market.issuer.signer,
): Promise<ServiceClient> {
  const client = market.newClient(options);
  await client.authenticate(signer, market.deployment.genesisHash);
  return client;
}

/** Creates a page after the reload that has signed in again. Its service and its RPC may return false data. */
const reloaded = (
  change?: (record: Record<string, unknown>) => object,
  edits: Edits = {},
  signer = market.issuer.signer,
) => {
  const fetch = change ? changedResponses(market.request, change) : market.request;
  return signedIn({ rpc: nodeWith(market.world.net, edits), fetch }, signer);
};

const transferOf = (amount = 1n) => {
  const { mint, source, destination } = market;
  return { mint, source, destination, amount };
};
const prepare = (client = before) => client.prepare.transfer(transferOf());

/** Signs a transfer and waits until it is final. */
async function transfer() {
  const prepared = await prepare();
  const { signature } = await before.signAndSubmit(market.issuer.signer, prepared);
  await market.live(() => before.waitForOperation(prepared.operationId));
  return { operationId: prepared.operationId, signature: signature as Signature };
}

/** Returns what several clients find about an operation, within a minute of their clocks while slots pass. */
const waitOnAll = (clients: readonly ServiceClient[], operationId: string) =>
  market.whileSlotsPass(50, () =>
    Promise.allSettled(clients.map((client) => client.waitForOperation(operationId, { timeoutMs: 60_000 }))),
  );

const invalid = (field: string) => ({ context: { field } });

describe('an operation that was signed', () => {
  test('before the reload is waited for, and was signed only once', async () => {
    const wallet = countingWallet(market.issuer.signer);
    const prepared = await prepare();
    const { operationId } = prepared;
    await before.signAndSubmit(wallet, prepared);
    const client = await reloaded();
    const states: OperationState[] = [];
    const onState = (state: OperationState) => void states.push(state);
    const final = await market.live(() => client.waitForOperation(operationId, { onState }));
    expect(final).toMatchObject({ state: 'FINALIZED', indexed: true, operationId });
    expect(states.at(-1)).toBe('FINALIZED');
    expect(new Set(states).size).toBe(states.length);
    // It is also there for a second wait, and for the page that signed it.
    expect(await client.waitForOperation(operationId)).toEqual(final);
    expect(await before.waitForOperation(operationId)).toEqual(final);
    expect(wallet.asked).toBe(1);
  });

  test('has no known outcome if a mistake in the SDK ends the wait, so it is not repeated', async () => {
    const { operationId, signature } = await transfer();
    const client = await reloaded();
    const cause = new TypeError('no digest');
    const digest = vi.spyOn(crypto.subtle, 'digest').mockRejectedValue(cause);
    try {
      const error = { code: 'OUTCOME_UNKNOWN', retryable: false, cause, context: { operationId } };
      await expect(client.waitForOperation(operationId, { signature })).rejects.toMatchObject(error);
    } finally {
      digest.mockRestore();
    }
    expect(await client.waitForOperation(operationId, { signature })).toMatchObject({ state: 'FINALIZED' });
  });

  test.each([
    ['EXPIRED', asExpired],
    ['NOT_FOUND', () => refusal('NOT_FOUND', 404)],
  ])('and that the service reports as %s is found on the chain', async (_name, change) => {
    const { operationId } = await transfer();
    const client = await reloaded(change);
    // The chain has it; only the service's index does not report it.
    const final = await client.waitForOperation(operationId, { timeoutMs: 1_500 });
    expect(final).toMatchObject({ state: 'FINALIZED', operationId, kind: 'TRANSFER', indexed: false });
  });

  test('and not broadcast is proven never to have landed, by the signature that the caller kept', async () => {
    const keeping = await signedIn({
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url.endsWith('/api/transactions/submit')) return Response.json({});
        return market.request(request);
      },
    });
    const prepared = await prepare(keeping);
    const { operationId } = prepared;
    await expectRefusal(keeping.signAndSubmit(market.issuer.signer, prepared), 'OUTCOME_UNKNOWN');
    const { signature } = keeping.getSnapshot().operations.at(-1)!;
    const client = await reloaded();
    const other = (await client.fetchReceipt(market.issued)).signature as Signature;
    const waiting = client.waitForOperation(operationId, { signature: other });
    await expectRefusal(waiting, 'INVALID_ARGUMENT', invalid('signature'));
    const resumed = client.waitForOperation(operationId, { signature });
    const neverLanded = {
      context: { reason: 'NEVER_LANDED' },
      message: expect.stringContaining('no fee was paid'),
    };
    await market.live(() =>
      market.whileSlotsPass(20, () => expectRefusal(resumed, 'OPERATION_FAILED', neverLanded)),
    );
  });

  test('and failed on chain is reported as that although the service reports it as expired', async () => {
    // Its owner has no pass.
    const destination = await market.tokenAccount(market.world.keys.payer.address);
    const prepared = await before.prepare.transfer({ ...transferOf(1n), destination });
    await before.signAndSubmit(market.issuer.signer, prepared);
    await market.live(() => expectRefusal(before.waitForOperation(prepared.operationId), 'OPERATION_FAILED'));
    const client = await reloaded(asExpired);
    await expectRefusal(client.waitForOperation(prepared.operationId), 'OPERATION_FAILED', {
      context: { reason: 'ON_CHAIN_ERROR', programError: { name: 'DESTINATION_PASS_MISSING' } },
    });
  });
});

describe('a draft', () => {
  test('of this client is not waited for', async () => {
    const { operationId } = await prepare();
    const waiting = before.waitForOperation(operationId);
    await expectRefusal(waiting, 'OPERATION_NOT_SIGNED', { context: { operationId } });
  });

  test('of this client is searched for on the chain when the caller has a signature', async () => {
    const { signature } = await transfer();
    const { operationId } = await prepare();
    // The service could have given a new draft the id of an operation that was signed before a reload.
    const waiting = before.waitForOperation(operationId, { signature });
    await expectRefusal(waiting, 'INVALID_ARGUMENT', invalid('signature'));
  });

  test('that a wallet is being asked to sign is waited for', async () => {
    const prepared = await prepare();
    const { operationId } = prepared;
    const { wallet, opened, answer } = slowWallet(countingWallet(market.issuer.signer));
    const signing = before.signAndSubmit(wallet, prepared);
    await opened;
    await market.live(async () => {
      const onState = (state: OperationState) => state === 'DRAFT' && answer();
      const final = await before.waitForOperation(operationId, { onState });
      expect(final).toMatchObject({ state: 'FINALIZED', operationId });
    });
    await signing;
  });

  test('is unsigned when a signed transaction cannot land any more, and not before', async () => {
    const { operationId } = await prepare();
    const client = await reloaded(asExpired);
    const young = client.waitForOperation(operationId, { timeoutMs: 800 });
    await expectRefusal(young, 'OUTCOME_UNKNOWN', { context: { answer: 'EXPIRED' } });

    const states: OperationState[] = [];
    const onState = (state: OperationState) => void states.push(state);
    const resumed = client.waitForOperation(operationId, { onState });
    let isOver = false;
    resumed
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    // Also with an RPC whose history begins just before the time that the caller passes.
    const first = market.world.net.slot - 300n;
    const pruned = await reloaded(asExpired, {
      getFirstAvailableBlock: () => first,
      // The slots pass faster here than their times say.
      getBlockTime: (time, [slot]) => time - (slot === first ? 120 : 0),
    });
    const preparedAt = BigInt(Math.floor(Date.now() / 1000)) - 5n;
    const known = pruned.waitForOperation(operationId, { preparedAt });
    const never = { message: expect.stringContaining('can no longer land') };
    await market.live(() =>
      market.whileSlotsPass(20, () =>
        Promise.all([resumed, known].map((each) => expectRefusal(each, 'DRAFT_EXPIRED', never))),
      ),
    );
    expect(states).toEqual(['EXPIRED']);
  });

  test('that another page signs meanwhile is waited for', async () => {
    const prepared = await prepare();
    const client = await reloaded();
    const states: OperationState[] = [];
    const onState = (state: OperationState) => {
      states.push(state);
      if (state === 'DRAFT') void before.signAndSubmit(market.issuer.signer, prepared);
    };
    const final = await market.live(() => client.waitForOperation(prepared.operationId, { onState }));
    expect(final).toMatchObject({ state: 'FINALIZED' });
    expect(states[0]).toBe('DRAFT');
  });

  test('is not proven unsigned by an RPC whose history is too short, that cannot search or whose height stops', async () => {
    const { operationId } = await prepare();
    const nodes: Edits[] = [
      { getFirstAvailableBlock: () => market.world.net.slot },
      {
        getSignaturesForAddress: () => {
          throw new TypeError('fetch failed');
        },
      },
      { getEpochInfo: (info: object) => ({ ...info, blockHeight: 1n }) },
    ];
    const clients = await Promise.all(nodes.map((edits) => reloaded(asExpired, edits)));
    const unknown = { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN' } };
    expect(await waitOnAll(clients, operationId)).toMatchObject([unknown, unknown, unknown]);
  });
});

test('an operation that was signed and is not found is not reported as unsigned', async () => {
  const { operationId } = await transfer();
  const { slot } = market.world.net;
  const now = Math.floor(Date.now() / 1000);
  const young = { createdAt: `${now + 30}`, expiresAt: `${now + 120}` };
  const { getTransaction, getSignaturesForAddress } = LOST;
  const { holder, issuer } = market;
  const message = 'Minimum context slot has not been reached';
  const tooEarly = { code: -32016, message, data: { contextSlot: 1 } };
  const record = { operationId, kind: 'TRANSFER', createdAt: '1', expiresAt: '91' };
  const clients = await Promise.all([
    // The service reports a creation time that is later than the start of the RPC's history.
    reloaded((found) => asExpired({ ...found, ...young }), {
      getTransaction,
      getSignaturesForAddress,
      getFirstAvailableBlock: () => slot - 10n,
    }),
    // The node is behind.
    reloaded(asExpired, {
      getTransaction,
      getSignaturesForAddress: (_found, params) => {
        const asOf = (params[1] as { minContextSlot?: bigint } | undefined)?.minContextSlot ?? 0n;
        if (asOf > slot - 50n) throw getSolanaErrorFromJsonRpcError(tooEarly);
        return [];
      },
    }),
    // Another account of the person has signed in. An honest service reports nothing, a hostile one the truth.
    reloaded(undefined, undefined, holder.signer),
    reloaded(() => asExpired({ ...record, wallet: issuer.signer.address }), undefined, holder.signer),
  ]);
  const unknown = (text: string) => ({
    status: 'rejected',
    reason: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining(text) },
  });
  const ofAnother = unknown('Pass the wallet that it was prepared for');
  const expected = [unknown('60000 ms'), unknown('60000 ms'), ofAnother, ofAnother];
  expect(await waitOnAll(clients, operationId)).toMatchObject(expected);
});

describe('what cannot be known', () => {
  test('without a wallet: the service does not decide who signed', async () => {
    const { operationId } = await prepare();
    const client = await reloaded();
    await client.logout();
    const record = {
      operationId,
      kind: 'TRANSFER',
      wallet: market.issuer.signer.address,
      state: 'EXPIRED',
      createdAt: '1',
      expiresAt: '2',
    };
    const unknown = market.newClient({ fetch: async () => Response.json(record) });
    await expectRefusal(unknown.waitForOperation(operationId), 'OUTCOME_UNKNOWN', {
      message: expect.stringContaining('client.authenticate'),
    });
    await expectRefusal(client.waitForOperation('mine'), 'INVALID_ARGUMENT', invalid('operationId'));
    const waiting = client.waitForOperation(operationId, { wallet: 'me' as never });
    await expectRefusal(waiting, 'INVALID_ARGUMENT', invalid('wallet'));
  });

  test('an abort ends it at once and leaves no listener', async () => {
    const { operationId } = await prepare();
    const client = await reloaded();
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const onState = () => setTimeout(() => controller.abort(), 50);
    const waiting = client.waitForOperation(operationId, { signal: controller.signal, onState });
    await expectRefusal(waiting, 'ABORTED');
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

describe('an idempotency key of the caller', () => {
  test('with a draft that the service reports as expired is no proof that nobody signed it', async () => {
    const key = { idempotencyKey: 'kept-over-a-crash-0001' };
    const { operationId } = await before.prepare.transfer(transferOf(), key);
    // Two pages share the key: this one cannot know what the other did.
    const expiring = changedResponses(
      changedResponses(market.request, asExpired),
      asExpired,
      '/api/transfers',
    );
    const client = await signedIn({ fetch: expiring });
    await expectRefusal(client.prepare.transfer(transferOf(), key), 'OUTCOME_UNKNOWN', {
      context: { operationId, answer: 'EXPIRED' },
      message: expect.stringContaining('client.waitForOperation'),
    });
    // Nobody else can have signed it under a key of the client's own.
    await expectRefusal(client.prepare.transfer(transferOf()), 'DRAFT_EXPIRED');
  });

  test('keeps waitForOperation from trusting EXPIRED, and a key of its own does not', async () => {
    const client = await reloaded(asExpired);
    const key = { idempotencyKey: 'kept-over-a-crash-0002' };
    const shared = await client.prepare.transfer(transferOf(), key);
    const waiting = client.waitForOperation(shared.operationId, { timeoutMs: 1_000 });
    await expectRefusal(waiting, 'OUTCOME_UNKNOWN', { context: { answer: 'EXPIRED' } });
    const own = await client.prepare.transfer(transferOf());
    await expectRefusal(client.waitForOperation(own.operationId), 'DRAFT_EXPIRED');
    // It was reported, so the answer stays the same.
    await expectRefusal(client.waitForOperation(own.operationId), 'DRAFT_EXPIRED');
  });
});

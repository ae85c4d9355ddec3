/** What waitForOperation believes: the caller's own chain, whatever the service says. */
import { formatChallenge, operationMessage, wireTransaction } from '@service/protocol';
import type { OperationState } from '@service/sdk';
import { startCount, type UnderWay, untilIdle } from '@service/test-support/under-way';
import {
  type Blockhash,
  createNoopSigner,
  createSolanaRpcFromTransport,
  getBase58Decoder,
  getBase64Decoder,
  type KeyPairSigner,
  type RpcTransport,
  type Signature,
  signBytes,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type HostileService,
  hostileService,
  ORIGIN,
  operationAnswer,
  refusal,
} from '../support/hostile-service.ts';
import { honestMessage, type Kind, kindsOn, unsigned } from '../support/kinds.ts';
import { countingWallet } from '../support/offer.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

let chain: StillChain;
let binding: Kind;
let transfer: Kind;
let service: HostileService;
let operationPath: string;
let nextId = 1;
let underWay: UnderWay;

beforeAll(async () => {
  chain = await stillChain();
  const kinds = kindsOn(chain);
  binding = kinds.find(({ intent }) => intent.kind === 'BIND_MINT')!;
  transfer = kinds.find(({ intent }) => intent.kind === 'TRANSFER')!;
  return () => chain.stop();
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  service = hostileService(chain);
  service.operationId = `6f9619ff-8b86-4d01-b42d-${String(nextId++).padStart(12, '0')}`;
  operationPath = `/api/operations/${service.operationId}`;
  underWay = startCount();
});
afterEach(() => {
  underWay.end();
  vi.useRealTimers();
});

/** Signs an operation through the client, with the chain's newest blockhash. */
async function sign(kind: Kind): Promise<void> {
  const { value } = await chain.net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const at = { ...chain, blockhash: value.blockhash };
  service.transaction = unsigned(await honestMessage(at, kind.intent, service.operationId));
  await service.client.signAndSubmit(countingWallet(chain.wallet), await kind.prepare(service.client));
}

/** Lands what was submitted, past the service. */
async function land(): Promise<bigint> {
  const wire = getBase64Decoder().decode(service.submitted.at(-1)!) as never;
  await chain.net.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  const { slot } = chain.net;
  chain.net.finalize();
  return slot;
}

const says = (state: OperationState, more?: object) =>
  service.instead.set(operationPath, () => operationAnswer(service.record(state, more)));

/** Lets pretended time pass, while no digest and no signature is being made. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 100) {
    await untilIdle(underWay);
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** The result of a promise while pretended time passes. */
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

/** The cluster through a node whose answers to some methods have lost the transaction. */
function forgetful(methods: readonly string[]): StillChain['net'] {
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const answer = (await chain.net.transport(request)) as { result: { value: unknown } };
    const { method } = request.payload as { method: string };
    if (method === 'getSignaturesForAddress' && methods.includes('memo')) {
      const told = answer.result as unknown as readonly object[];
      return { ...answer, result: told.map((entry) => ({ ...entry, memo: null })) };
    }
    if (!methods.includes(method)) return answer;
    if (method === 'getTransaction') return { ...answer, result: null };
    if (method === 'getSignaturesForAddress') return { ...answer, result: [] };
    return { ...answer, result: { ...answer.result, value: [null] } };
  }) as RpcTransport;
  return { rpc: createSolanaRpcFromTransport(transport) } as StillChain['net'];
}

/** The cluster through a node that takes some questions and never answers them. */
function silent(methods: readonly string[]): StillChain['net'] {
  const transport = ((request: Parameters<RpcTransport>[0]) => {
    const { method } = request.payload as { method: string };
    return methods.includes(method) ? new Promise(() => undefined) : chain.net.transport(request);
  }) as RpcTransport;
  return { rpc: createSolanaRpcFromTransport(transport) } as StillChain['net'];
}

/** The service, to a client that sees the chain through another node. */
function through(net: StillChain['net']): void {
  service = hostileService({ ...chain, net });
  service.operationId = `6f9619ff-8b86-4d01-b42d-${String(nextId++).padStart(12, '0')}`;
  operationPath = `/api/operations/${service.operationId}`;
}

/** The cluster through a node that answers some methods otherwise. */
function answering(edits: Readonly<Record<string, (result: never) => unknown>>): StillChain['net'] {
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const answer = (await chain.net.transport(request)) as { result: never };
    const edit = edits[(request.payload as { method: string }).method];
    return edit ? { ...answer, result: edit(answer.result) } : answer;
  }) as RpcTransport;
  return { rpc: createSolanaRpcFromTransport(transport) } as StillChain['net'];
}

describe('an RPC that answers with nonsense', () => {
  const lost = { getTransaction: () => null };

  it.each<[string, Readonly<Record<string, (result: never) => unknown>>]>([
    ['a transaction without its bytes', { getTransaction: () => ({ slot: 5, meta: { err: null } }) }],
    [
      'a transaction of which it does not say how it ended',
      { getTransaction: (found: object | null) => found && { ...found, meta: {} } },
    ],
    ['no list of signatures', { ...lost, getSignaturesForAddress: () => null }],
    ['no statuses', { ...lost, getSignatureStatuses: () => ({}) }],
    ['no height', { ...lost, getEpochInfo: () => ({}) }],
    [
      'no first block',
      {
        ...lost,
        getFirstAvailableBlock: () => null,
        getSignaturesForAddress: () => [],
        getSignatureStatuses: (told: object) => ({ ...told, value: [null] }),
      },
    ],
  ])('as %s proves nothing, and is no error of another kind', async (_name, edits) => {
    through(answering(edits));
    await sign(transfer);
    await land();
    says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    chain.net.advanceSlots(200);
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const { signature } = service.client.getSnapshot().operations.at(-1)!;
    const { operationId } = service;
    through(answering(edits));
    service.instead.set(`/api/operations/${operationId}`, () => refusal('NOT_FOUND', 404));
    const options = { wallet: chain.wallet.address, signature: signature!, timeoutMs: 10_000 };
    const resuming = service.client.waitForOperation(operationId, options);
    await pass(1_000);
    chain.net.advanceSlots(250);
    expect(await settle(resuming)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});

/** The newest blockhash of a node that is some slots behind. */
const behind =
  (slots: number) =>
  ({
    context,
    value,
  }: {
    readonly context: { readonly slot: bigint };
    readonly value: { readonly lastValidBlockHeight: bigint };
  }) => ({
    context: { ...context, slot: Number(context.slot) - slots },
    value: { ...value, lastValidBlockHeight: Number(value.lastValidBlockHeight) - slots },
  });

describe('an RPC of many nodes', () => {
  it('proves no absence by one that was behind when the wallet signed', async () => {
    through(answering({ getLatestBlockhash: behind(100) }));
    await sign(transfer);
    says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    chain.net.advanceSlots(100);
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    // It could land all that time.
    await land();
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({
      context: { reason: 'ON_CHAIN_ERROR' },
    });
  });
});

describe('a search after a reload', () => {
  const search = () =>
    service.client.waitForOperation(service.operationId, { wallet: chain.wallet.address, timeoutMs: 60_000 });

  it('calls nothing unsigned that a node ahead of the RPC may have taken', async () => {
    through(answering({ getLatestBlockhash: behind(100) }));
    says('EXPIRED');
    let isOver = false;
    const searching = search().catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await pass(1_000);
    // The blockhash of the node ahead lives for 20 blocks more.
    chain.net.advanceSlots(130);
    await pass(10_000);
    expect(isOver).toBe(false);
    chain.net.advanceSlots(150);
    expect(await settle(searching)).toMatchObject({ code: 'DRAFT_EXPIRED' });
  });

  it.each([null, undefined])('looks at transactions whose memo an RPC tells as %s', async (memo) => {
    type Entries = readonly object[];
    through(
      answering({ getSignaturesForAddress: (told: Entries) => told.map((entry) => ({ ...entry, memo })) }),
    );
    await sign(transfer);
    await land();
    const { operationId } = service;
    // A page that was loaded again knows nothing of what was signed.
    through(
      answering({ getSignaturesForAddress: (told: Entries) => told.map((entry) => ({ ...entry, memo })) }),
    );
    const never = service.operationId;
    for (const [id, found] of [
      [operationId, { code: 'OPERATION_FAILED', context: { reason: 'ON_CHAIN_ERROR' } }],
      [never, { code: 'DRAFT_EXPIRED' }],
    ] as const) {
      service.operationId = id;
      service.instead.set(`/api/operations/${id}`, () => operationAnswer(service.record('EXPIRED')));
      const searching = search();
      await pass(1_000);
      chain.net.advanceSlots(400);
      expect(await settle(searching)).toMatchObject(found);
    }
  });
});

describe('an RPC that never answers', () => {
  it('holds no wait longer than its time', async () => {
    through(silent(['getTransaction']));
    await sign(transfer);
    says('FINALIZED', { slot: 5n, indexed: true });
    const { operationId } = service;
    for (const call of [
      () => wait({ timeoutMs: 1_000 }),
      () => service.client.waitForOperation(operationId, { timeoutMs: 1_000, wallet: chain.wallet.address }),
    ]) {
      const began = performance.now();
      expect(await settle(call(), 10_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect(performance.now() - began).toBeLessThan(1_500);
    }
  });

  it('holds no search after a reload longer than its time', async () => {
    through(silent(['getSignaturesForAddress']));
    says('EXPIRED');
    const { operationId } = service;
    const options = { wallet: chain.wallet.address, timeoutMs: 1_000 };
    const search = service.client.waitForOperation(operationId, options);
    expect(await settle(search, 10_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('has failed after half a minute, where nothing was signed yet', async () => {
    through(silent(['getGenesisHash']));
    const began = performance.now();
    expect(await settle(sign(transfer), 60_000)).toMatchObject({ code: 'RPC_ERROR', retryable: true });
    expect(performance.now() - began).toBeLessThan(31_000);
  });
});

describe('FINALIZED', () => {
  it('is believed when the chain shows it, and reported state by state', async () => {
    await sign(binding);
    const states: OperationState[] = [];
    says('SUBMITTED');
    const waiting = wait({ onState: (state: OperationState) => states.push(state) });
    await pass(300);
    const slot = await land();
    says('FINALIZED', { slot, indexed: false });
    await pass(1_500);
    // An error would make callers repeat a write that is final.
    const early = wait({ timeoutMs: 1_000 });
    expect(await settle(early)).toMatchObject({ state: 'FINALIZED', slot, indexed: false });
    // Neither does an abort, once the chain has shown the end.
    const controller = new AbortController();
    const aborted = settle(wait({ signal: controller.signal }));
    await pass(1_000);
    controller.abort();
    expect(await aborted).toMatchObject({ state: 'FINALIZED', slot, indexed: false });
    says('FINALIZED', { slot, indexed: true });

    expect(await settle(waiting)).toMatchObject({ state: 'FINALIZED', slot, indexed: true });
    expect(states).toEqual(['SUBMITTED', 'FINALIZED']);
  });

  it('is not believed when the chain does not show it', async () => {
    await sign(transfer);
    says('FINALIZED', { slot: 5n, indexed: true });
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('is not believed of a transaction that the chain refused', async () => {
    await sign(transfer);
    const slot = await land();
    says('FINALIZED', { slot, indexed: true });
    // The source account is empty: Token-2022 says so.
    expect(await settle(wait())).toMatchObject({
      code: 'OPERATION_FAILED',
      context: {
        reason: 'ON_CHAIN_ERROR',
        instruction: 1,
        programError: { code: 1, name: 'INSUFFICIENT_FUNDS' },
      },
    });
  });

  it('is waited for though a listener throws: that is the page’s error, and no end of the operation', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await sign(transfer);
    const slot = await land();
    says('FINALIZED', { slot, indexed: true });
    const onState = () => {
      throw new Error('of the page');
    };
    expect(await settle(wait({ onState }))).toMatchObject({ code: 'OPERATION_FAILED' });
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ message: 'of the page' }));
    reported.mockRestore();
  });

  it('is not believed of an RPC of another cluster, as after a reload', async () => {
    await sign(transfer);
    await land();
    const { signature } = service.record('QUEUED') as { signature?: string };
    const { operationId } = service;
    through(answering({ getGenesisHash: () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }));
    const path = `/api/operations/${operationId}`;
    service.instead.set(path, () =>
      operationAnswer({
        ...service.record('FAILED', { signature, failure: { reason: 'ON_CHAIN_ERROR', message: 'no' } }),
        operationId,
      } as never),
    );
    const options = { wallet: chain.wallet.address, timeoutMs: 5_000 };
    for (const more of [{}, { signature: signature as Signature }]) {
      const waiting = service.client.waitForOperation(operationId, { ...options, ...more });
      expect(await settle(waiting)).toMatchObject({ code: 'GENESIS_HASH_MISMATCH' });
    }
  });

  it('of another client’s operation is not believed of just any transaction', async () => {
    await sign(transfer);
    await land();
    const stranger = hostileService(chain);
    stranger.operationId = service.operationId.replace('6f9619ff', '7f9619ff');
    const path = `/api/operations/${stranger.operationId}`;
    stranger.instead.set(path, () =>
      operationAnswer({
        ...service.record('FINALIZED', { slot: 1n, indexed: true }),
        operationId: stranger.operationId,
      }),
    );
    const waiting = stranger.client.waitForOperation(stranger.operationId, {
      wallet: chain.wallet.address,
      timeoutMs: 5_000,
    });
    expect(await settle(waiting)).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  });
});

describe('FAILED and EXPIRED', () => {
  it.each<[string, () => void]>([
    ['NEVER_LANDED', () => says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } })],
    [
      'ON_CHAIN_ERROR',
      () => says('FAILED', { slot: 1n, failure: { reason: 'ON_CHAIN_ERROR', message: 'no' } }),
    ],
    ['EXPIRED', () => says('EXPIRED')],
    [
      'that it knows nothing of it',
      () => service.instead.set(operationPath, () => refusal('NOT_FOUND', 404)),
    ],
  ])('%s is no proof while the transaction can still land', async (_name, lie) => {
    await sign(transfer);
    lie();
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('a landed transaction is final although the service calls it expired', async () => {
    const fresh = { ...binding, intent: binding.intent };
    await sign(fresh);
    says('EXPIRED');
    const waiting = wait();
    await pass(300);
    await land();
    // Bound already by the first test: the chain's own word.
    expect(await settle(waiting)).toMatchObject({
      code: 'OPERATION_FAILED',
      context: { reason: 'ON_CHAIN_ERROR' },
    });
  });

  it('absence is proven by a dead blockhash and two looks, and not while the node has forgotten', async () => {
    await sign(transfer);
    says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    chain.net.advanceSlots(140);
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });

    chain.net.advanceSlots(60);
    chain.net.setFirstAvailableBlock(chain.net.slot);
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });

    chain.net.setFirstAvailableBlock(0n);
    const looks = vi.fn();
    const started = performance.now();
    const result = await settle(wait({ timeoutMs: 10_000, onState: looks }));
    expect(result).toMatchObject({ code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } });
    expect(performance.now() - started).toBeGreaterThanOrEqual(3_000);
  });

  it.each([
    ['its status is known', ['getTransaction', 'getSignaturesForAddress']],
    ['its memo is in the wallet’s history', ['getTransaction', 'getSignatureStatuses']],
    ['a transaction of the wallet has no memo', ['getTransaction', 'getSignatureStatuses', 'memo']],
  ])('absence is not proven while %s', async (_name, forgotten) => {
    through(forgetful(forgotten));
    await sign(transfer);
    await land();
    says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    chain.net.advanceSlots(200);
    expect(await settle(wait({ timeoutMs: 15_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('absence is not proven by an RPC that fails', async () => {
    await sign(transfer);
    says('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'gone' } });
    chain.net.advanceSlots(200);
    chain.net.pause();
    expect(await settle(wait({ timeoutMs: 10_000 }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    chain.net.resume();
  });
});

describe('an operation that this client did not sign', () => {
  it('is followed by what the service says, as far as the chain shows it', async () => {
    says('EXPIRED');
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN', context: { answer: 'EXPIRED' } });
    service.instead.set(operationPath, () => refusal('NOT_FOUND', 404));
    // The service could hide what was signed, so its word is not the end.
    const message = expect.stringContaining('the service says nothing of it');
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN', message });
  });

  it('is expired for certain when this client prepared it and never signed', async () => {
    service.transaction = unsigned(await honestMessage(chain, transfer.intent, service.operationId));
    await transfer.prepare(service.client);
    says('EXPIRED');
    expect(await settle(wait())).toMatchObject({ code: 'DRAFT_EXPIRED' });
  });
});

describe('a service that holds back the signed bytes and lands a transaction of its own', () => {
  /** Lands a transaction with the operation's memo, paid for by the service's wallet. Returns its signature. */
  async function landOwn(lamports: bigint): Promise<string> {
    const { value } = await chain.net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const key: KeyPairSigner = chain.other;
    chain.net.airdrop(key.address, 1_000_000_000n);
    const message = operationMessage({
      wallet: key.address,
      operationId: service.operationId,
      blockhash: value.blockhash as Blockhash,
      instruction: getTransferSolInstruction({
        source: createNoopSigner(key.address),
        destination: chain.wallet.address,
        amount: lamports,
      }),
    });
    const signature = await signBytes(key.keyPair.privateKey, message);
    const wire = getBase64Decoder().decode(wireTransaction(message, signature)) as never;
    await chain.net.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    chain.net.finalize();
    return getBase58Decoder().decode(signature);
  }

  /** The same service, to a page that was loaded again: nothing is remembered of what was signed. */
  function reload(): void {
    const { operationId } = service;
    service = hostileService(chain);
    service.operationId = operationId;
  }

  const failure = { reason: 'ON_CHAIN_ERROR', message: 'no' };
  const own = () => ({ wallet: chain.other.address, slot: 1n });

  it.each<[string, OperationState, bigint, object]>([
    ['FAILED', 'FAILED', 1_000_000_000_000n, { failure }],
    ['FINALIZED', 'FINALIZED', 1_000_000n, { indexed: true }],
  ])('is not believed to say %s', async (_name, state, lamports, more) => {
    await sign(transfer);
    reload();
    says(state, { ...own(), signature: await landOwn(lamports), ...more });
    expect(await service.client.session()).toBe(chain.wallet.address);
    expect(await settle(wait())).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      context: { operationId: service.operationId, answer: state },
      message: expect.stringContaining('client.authenticate'),
    });
    expect(await settle(wait({ wallet: chain.wallet.address }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('nor when it has made its wallet the one of the session', async () => {
    reload();
    service.instead.set('/api/auth/session', () => Response.json({ wallet: chain.other.address }));
    expect(await service.client.session()).toBe(chain.other.address);
    says('FAILED', { ...own(), signature: await landOwn(1_000_000_000_000n), failure });
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('is believed of the wallet that the caller passes, or that signed in', async () => {
    await sign(transfer);
    const slot = await land();
    const { signature } = service.record('QUEUED') as { signature?: string };
    reload();
    says('FAILED', { wallet: chain.wallet.address, kind: 'TRANSFER', slot, signature, failure });
    const failed = { code: 'OPERATION_FAILED', context: { reason: 'ON_CHAIN_ERROR', instruction: 1 } };
    expect(await settle(wait())).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await settle(wait({ wallet: chain.wallet.address }))).toMatchObject(failed);
    await signIn();
    expect(await settle(wait())).toMatchObject(failed);
  });

  it('is refused a wallet that is none', async () => {
    expect(await settle(wait({ wallet: 'me' }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  async function signIn(): Promise<void> {
    const now = BigInt(Math.floor(Date.now() / 1000));
    const { program, genesisHash } = chain.deployment;
    const challengeId = service.operationId;
    const expiresAt = now + 300n;
    const message = formatChallenge({
      origin: ORIGIN,
      wallet: chain.wallet.address,
      program,
      genesisHash,
      nonce: 'nonce01234567890',
      challengeId,
      issuedAt: now,
      expiresAt,
    });
    service.instead.set('/api/auth/challenge', () =>
      Response.json({ challengeId, message, expiresAt: `${expiresAt}` }),
    );
    service.instead.set('/api/auth/verify', () =>
      Response.json({ wallet: chain.wallet.address, expiresAt: `${now + 43_200n}` }),
    );
    await service.client.authenticate(chain.wallet, genesisHash);
  }
});

describe('an abort', () => {
  it('of a signed operation leaves its outcome unknown, and no listener', async () => {
    await sign(transfer);
    says('SUBMITTED');
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const waiting = wait({ signal: controller.signal });
    await pass(2_000);
    controller.abort();
    expect(await settle(waiting)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    // kit's RPC joins signals by itself; ours are all gone.
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

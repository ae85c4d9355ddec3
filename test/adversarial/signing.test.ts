/** What signAndSubmit accepts, and what it does when the service, the RPC or the wallet misbehaves. */
import { inspect } from 'node:util';
import { Localnet } from '@service/localnet';
import { programAddresses } from '@service/protocol';
import type { PlainWallet, PreparedOperation, PrepareOptions, ServiceErrorCode } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { generateKeyPairSigner, getBase58Decoder, getBase64Decoder, signBytes } from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { countingWallet, slowWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService, refusal } from '../support/hostile-service.ts';
import { flipped } from '../support/node.ts';
import { honestWire, OPERATION_ID, useStillChain } from '../support/still-chain.ts';

const SUBMIT = '/api/transactions/submit';

const chain = useStillChain();
let transaction: Uint8Array;
let service: HostileService;
let wallet: ReturnType<typeof countingWallet>;

beforeAll(async () => {
  transaction = await honestWire(chain, chain.kinds.TRANSFER);
});
beforeEach(() => {
  service = hostileService(chain, { transaction });
  wallet = countingWallet(chain.wallet);
});
afterEach(() => vi.useRealTimers());

const prepare = (options?: PrepareOptions) => chain.kinds.TRANSFER.prepare(service.client, options);
/** Signs a prepared transfer with a wallet, by default one that counts. */
const sign = (prepared: PreparedOperation, by: PlainWallet = wallet, options?: { signal: AbortSignal }) =>
  service.client.signAndSubmit(by, prepared, options);
const expectNothingSigned = () => expect([wallet.asked, service.submitted.length]).toEqual([0, 0]);

describe('only what prepare returned', () => {
  it.each<[string, (prepared: PreparedOperation) => unknown]>([
    ['a copy', (prepared) => ({ ...prepared })],
    ['a structured clone', (prepared) => structuredClone(prepared)],
    ['an object that inherits from it', (prepared) => Object.create(prepared)],
    ['a proxy', (prepared) => new Proxy(prepared, {})],
    ['an edit', (prepared) => ({ ...prepared, request: { ...prepared.request, amount: 1n } })],
    [
      'an object of one’s own',
      () => ({ operationId: OPERATION_ID, kind: 'TRANSFER', wallet: chain.wallet.address }),
    ],
    ['null', () => null],
  ])('is signed, not %s', async (_name, forge) => {
    await expectRefusal(sign(forge(await prepare()) as PreparedOperation), 'NOT_PREPARED');
    expectNothingSigned();
  });

  it('cannot be changed', async () => {
    const prepared = await prepare();
    expect(() => Object.assign(prepared, { kind: 'ISSUE' })).toThrow(TypeError);
    expect(() => Object.assign(prepared.request, { amount: 1n })).toThrow(TypeError);
  });

  it('has the request as it was when prepare was called', async () => {
    const request = { ...chain.transfer };
    const preparing = service.client.prepare.transfer(request);
    request.amount = 1n;
    await sign(await preparing);
    expect(service.submitted).toHaveLength(1);
  });

  it('belongs to this client', async () => {
    const other = hostileService(chain, { transaction });
    await expectRefusal(sign(await chain.kinds.TRANSFER.prepare(other.client)), 'NOT_PREPARED');
    expectNothingSigned();
  });
});

describe('before the wallet is asked', () => {
  it('rejects a wallet other than the session’s', async () => {
    const prepared = await prepare();
    wallet = countingWallet(chain.other);
    await expectRefusal(sign(prepared), 'WALLET_MISMATCH', {
      context: { expected: chain.wallet.address, received: chain.other.address },
    });
    expectNothingSigned();
  });

  it.each<[string, object]>([
    ['of another kind', { kind: 'ISSUE' }],
    ['of another wallet', { wallet: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' }],
    ['with an operation id that is not a UUID', { operationId: 'drop table' }],
    ['with an operation id in capitals', { operationId: OPERATION_ID.toUpperCase() }],
    ['with a transaction that is not base64', { transaction: '***' }],
  ])('rejects a draft %s', async (_name, change) => {
    const honest = await service.operation('DRAFT', { transaction: 'AAAA' }).json();
    service.instead.set('/api/transfers', () => Response.json({ ...honest, kind: 'TRANSFER', ...change }));
    await expectRefusal(prepare(), 'UNEXPECTED_RESPONSE');
    expectNothingSigned();
  });

  it('rejects a rule set at an address that is not derived from the request', async () => {
    const create = chain.kinds.CREATE_RULE_SET;
    service = hostileService(chain, { rule: chain.rule, transaction: await honestWire(chain, create) });
    await expectRefusal(create.prepare(service.client), 'UNEXPECTED_RESPONSE');
  });

  it('reports what is missing on the caller’s own RPC', async () => {
    const request = { ...chain.transfer, mint: chain.freeMint, amount: 1n };
    await expectRefusal(sign(await service.client.prepare.transfer(request)), 'MINT_NOT_BOUND');
    expectNothingSigned();
  });

  it('rejects an RPC of another cluster', async () => {
    const net = Localnet.start({ slotMs: 'manual', seed: 'elsewhere' });
    const create = chain.kinds.CREATE_RULE_SET;
    const rule = await programAddresses(chain.deployment.program).ruleSet(chain.wallet.address, 7n);
    const { blockhash } = (await net.rpc.getLatestBlockhash().send()).value;
    const wire = await honestWire(chain, create, { blockhash });
    service = hostileService({ ...chain, net }, { rule, transaction: wire });
    await expectRefusal(sign(await create.prepare(service.client)), 'GENESIS_HASH_MISMATCH', {
      context: { source: 'rpc', received: net.genesisHash },
    });
    await net.stop();
    expectNothingSigned();
  });

  it('rejects when the RPC fails or the call is aborted', async () => {
    const prepared = await prepare();
    chain.net.pause();
    await expectRefusal(sign(prepared), 'RPC_ERROR');
    chain.net.resume();
    await expectRefusal(sign(prepared, wallet, { signal: AbortSignal.abort() }), 'ABORTED');
    expectNothingSigned();
  });
});

describe('a wallet that returns', () => {
  type Answer = (honest: PlainWallet, wire: Uint8Array) => Promise<Uint8Array>;

  it.each<[string, ServiceErrorCode, Answer]>([
    [
      'a changed message',
      'WALLET_CHANGED_TRANSACTION',
      (honest, wire) => honest.signTransaction(flipped(wire, wire.length - 2)),
    ],
    [
      'an extra byte',
      'WALLET_CHANGED_TRANSACTION',
      async (honest, wire) => Uint8Array.from([...(await honest.signTransaction(wire)), 0]),
    ],
    ['the transaction unsigned', 'WALLET_SIGNATURE_INVALID', async (_honest, wire) => wire],
    [
      'a wrong signature',
      'WALLET_SIGNATURE_INVALID',
      async (honest, wire) => flipped(await honest.signTransaction(wire), 5),
    ],
    [
      'the signature of another key',
      'WALLET_SIGNATURE_INVALID',
      async (_honest, wire) => {
        const { keyPair } = await generateKeyPairSigner();
        const message = wire.slice(65);
        return Uint8Array.from([1, ...(await signBytes(keyPair.privateKey, message)), ...message]);
      },
    ],
    ['text', 'INVALID_ARGUMENT', async () => 'signed' as never],
    ['a rejection', 'WALLET_REJECTED', () => Promise.reject(new Error('declined'))],
  ])('%s causes no submission', async (_name, code, answer) => {
    const signTransaction = (wire: Uint8Array) => answer(countingWallet(chain.wallet), wire);
    await expectRefusal(sign(await prepare(), { ...wallet, signTransaction }), code);
    expect(service.submitted).toEqual([]);
  });

  it('a signature after the draft has expired causes no submission', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const prepared = await prepare();
    const signTransaction = (wire: Uint8Array) => {
      vi.advanceTimersByTime(90_000);
      return countingWallet(chain.wallet).signTransaction(wire);
    };
    // The same call with the same draft cannot succeed.
    await expectRefusal(sign(prepared, { ...wallet, signTransaction }), 'DRAFT_EXPIRED', {
      retryable: false,
    });
    expect(service.submitted).toEqual([]);
  });

  it('a signature of a draft that the service returns again does not make the draft live longer', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await prepare({ idempotencyKey: 'the-same-draft' });
    vi.advanceTimersByTime(60_000);
    const again = await prepare({ idempotencyKey: 'the-same-draft' });
    vi.advanceTimersByTime(30_000);
    const { asked } = wallet;
    await expectRefusal(sign(again), 'DRAFT_EXPIRED');
    expect(wallet.asked).toBe(asked);
  });

  it('a signature late has its draft sent, whatever happened to the date of the device', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const prepared = await prepare();
    const signTransaction = (wire: Uint8Array) => {
      vi.advanceTimersByTime(89_000);
      vi.setSystemTime(Date.now() + 3_600_000);
      return countingWallet(chain.wallet).signTransaction(wire);
    };
    await expect(sign(prepared, { ...wallet, signTransaction })).resolves.toMatchObject({ state: 'QUEUED' });
  });

  it('nothing is not asked for it again, and blocks no other operation once the draft expires', async () => {
    const prepared = await prepare();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const prompt = slowWallet(wallet);
    const ended = expectRefusal(sign(prepared, prompt.wallet), 'DRAFT_EXPIRED');
    await prompt.opened;
    await vi.advanceTimersByTimeAsync(90_000);
    await ended;
    expect(service.submitted).toEqual([]);
    const { asked } = wallet;
    await expectRefusal(sign(prepared), 'OPERATION_ALREADY_SIGNED', {
      context: { operationId: OPERATION_ID },
    });
    expect(wallet.asked).toBe(asked);
    service.operationId = OPERATION_ID.replace('6f', '7f');
    const { operationId } = service;
    service.transaction = await honestWire(chain, chain.kinds.TRANSFER, { operationId });
    await expect(sign(await prepare())).resolves.toMatchObject({ state: 'QUEUED' });
  });

  it('the signature of a kit signer causes a submission', async () => {
    await expect(service.client.signAndSubmit(chain.wallet, await prepare())).resolves.toMatchObject({
      state: 'QUEUED',
    });
  });
});

describe('after signed bytes have left', () => {
  const queued = (more: object) => () => service.operation('QUEUED', more);
  const fails = () => {
    throw new TypeError('fetch failed');
  };

  it.each<[string, () => Response, string | undefined]>([
    ['DRAFT_EXPIRED', () => refusal('DRAFT_EXPIRED', 409), 'DRAFT_EXPIRED'],
    ['TRANSACTION_MISMATCH', () => refusal('TRANSACTION_MISMATCH', 400), 'TRANSACTION_MISMATCH'],
    ['INTERNAL', () => refusal('INTERNAL', 500), 'INTERNAL'],
    ['nothing', fails, 'NETWORK_ERROR'],
    ['an empty object', () => Response.json({}), 'UNEXPECTED_RESPONSE'],
    ['EXPIRED', () => service.operation('EXPIRED'), undefined],
    ['another operation', queued({ operationId: OPERATION_ID.replace('6f', '7f') }), undefined],
    ['another kind', queued({ kind: 'ISSUE' }), undefined],
    ['another wallet', () => queued({ wallet: chain.other.address })(), undefined],
    ['another signature', queued({ signature: '1'.repeat(64) }), undefined],
  ])('and the service returns %s, the outcome is unknown', async (_name, response, code) => {
    service.instead.set(SUBMIT, response);
    await expectRefusal(sign(await prepare()), 'OUTCOME_UNKNOWN', {
      retryable: false,
      context: { operationId: OPERATION_ID, ...(code ? { answer: code } : {}) },
    });
    expect([wallet.asked, service.submitted.length]).toEqual([1, 1]);
  });

  it('no new request gets the id of their operation', async () => {
    const [early, raced, late] = [await prepare(), await prepare(), await prepare()];
    const both = await Promise.allSettled([sign(early), sign(raced)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { asked } = wallet;
    const alreadySigned = 'OPERATION_ALREADY_SIGNED';
    await expectRefusal(sign(late), alreadySigned, { context: { operationId: OPERATION_ID } });
    await expectRefusal(prepare(), 'UNEXPECTED_RESPONSE');
    const key = { idempotencyKey: 'a-key-of-before' };
    await expectRefusal(service.client.prepare.transfer({ ...chain.transfer }, key), alreadySigned);
    expect([wallet.asked, service.submitted.length]).toEqual([asked, 1]);
  });

  it('an error contains no signature', async () => {
    service.instead.set(SUBMIT, () => refusal('INTERNAL', 500));
    const error = await errorOf(sign(await prepare()));
    const signature = service.submitted[0]!.slice(1, 65);
    const text = inspect(error, { depth: 10, showHidden: true });
    expect(text).not.toContain(getBase58Decoder().decode(signature));
    expect(text).not.toContain(getBase64Decoder().decode(signature).slice(0, 80));
  });
});

/** What signAndSubmit takes, whom it asks, and what it says when things go wrong on either side of the signature. */
import { Localnet } from '@service/localnet';
import { programAddresses } from '@service/protocol';
import type { PlainWallet, PreparedOperation, ServiceErrorCode } from '@service/sdk';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService, operationAnswer, refusal } from '../support/hostile-service.ts';
import { honestMessage, type Kind, kindsOn, OPERATION_ID, unsigned } from '../support/kinds.ts';
import { type CountingWallet, countingWallet } from '../support/offer.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

const SUBMIT = '/api/transactions/submit';

let chain: StillChain;
let transfer: Kind;
let wire: Uint8Array;
let service: HostileService;
let wallet: CountingWallet;

beforeAll(async () => {
  chain = await stillChain();
  transfer = kindsOn(chain).find(({ intent }) => intent.kind === 'TRANSFER')!;
  wire = unsigned(await honestMessage(chain, transfer.intent));
});
afterAll(() => chain?.stop());
beforeEach(() => {
  service = hostileService(chain);
  service.operationId = OPERATION_ID;
  service.transaction = wire;
  wallet = countingWallet(chain.wallet);
});
afterEach(() => vi.useRealTimers());

const nothingHappened = () => expect([wallet.asked, service.submitted.length]).toEqual([0, 0]);

describe('only what prepare returned', () => {
  const forgeries: [string, (prepared: PreparedOperation) => unknown][] = [
    ['a copy', (prepared) => ({ ...prepared })],
    ['a structured clone', (prepared) => structuredClone(prepared)],
    ['an heir', (prepared) => Object.create(prepared)],
    ['a proxy', (prepared) => new Proxy(prepared, {})],
    ['an edit', (prepared) => ({ ...prepared, request: { ...prepared.request, amount: 1n } })],
    [
      'an object of one’s own',
      () => ({ operationId: OPERATION_ID, kind: 'TRANSFER', wallet: chain.wallet.address }),
    ],
    ['nothing', () => null],
  ];

  it.each(forgeries)('is signed, not %s', async (_name, forge) => {
    const forged = forge(await transfer.prepare(service.client)) as PreparedOperation;
    await expectRefusal(service.client.signAndSubmit(wallet, forged), 'NOT_PREPARED');
    nothingHappened();
  });

  it('cannot be changed', async () => {
    const prepared = await transfer.prepare(service.client);
    expect(() => Object.assign(prepared, { kind: 'ISSUE' })).toThrow(TypeError);
    expect(() => Object.assign(prepared.request, { amount: 1n })).toThrow(TypeError);
  });

  it('goes by the request as it was when prepare was called', async () => {
    const request = {
      mint: chain.boundMint,
      source: chain.source,
      destination: chain.destination,
      amount: 500n,
    };
    const preparing = service.client.prepare.transfer(request);
    request.amount = 1n;
    await service.client.signAndSubmit(wallet, await preparing);
    expect(service.submitted).toHaveLength(1);
  });

  it('is of this client', async () => {
    const other = hostileService(chain);
    Object.assign(other, { operationId: OPERATION_ID, transaction: wire });
    const prepared = await transfer.prepare(other.client);
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'NOT_PREPARED');
    nothingHappened();
  });
});

describe('before the wallet is asked', () => {
  it('refuses a wallet other than the session’s', async () => {
    const prepared = await transfer.prepare(service.client);
    wallet = countingWallet(chain.other);
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'WALLET_MISMATCH', {
      context: { expected: chain.wallet.address, received: chain.other.address },
    });
    nothingHappened();
  });

  it.each<[string, object]>([
    ['of another kind', { kind: 'ISSUE' }],
    ['of another wallet', { wallet: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' }],
    ['with an operation id that is no UUID', { operationId: 'drop table' }],
    ['with an operation id in capitals', { operationId: OPERATION_ID.toUpperCase() }],
    ['with a transaction that is not base64', { transaction: '***' }],
  ])('refuses a draft %s', async (_name, lie) => {
    const honest = await operationAnswer(service.record('DRAFT', { transaction: 'AAAA' })).json();
    service.instead.set('/api/transfers', () => Response.json({ ...honest, kind: 'TRANSFER', ...lie }));
    await expectRefusal(transfer.prepare(service.client), 'UNEXPECTED_RESPONSE');
    nothingHappened();
  });

  it('refuses a rule set at an address that is not derived from the request', async () => {
    service = hostileService(chain, { rule: chain.rule });
    const create = kindsOn(chain)[0]!;
    Object.assign(service, {
      operationId: OPERATION_ID,
      transaction: unsigned(await honestMessage(chain, create.intent)),
    });
    await expectRefusal(create.prepare(service.client), 'UNEXPECTED_RESPONSE');
  });

  it('says by the caller’s own RPC what is missing', async () => {
    const request = {
      mint: chain.freeMint,
      source: chain.source,
      destination: chain.destination,
      amount: 1n,
    };
    const prepared = await service.client.prepare.transfer(request);
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'MINT_NOT_BOUND');
    nothingHappened();
  });

  it('refuses an RPC of another cluster', async () => {
    const elsewhere = Localnet.start({ slotMs: 'manual', seed: 'elsewhere' });
    const rule = await programAddresses(chain.deployment.program).ruleSet(chain.wallet.address, 7n);
    service = hostileService({ ...chain, net: elsewhere }, { rule });
    const create = kindsOn(chain)[0]!;
    const { value } = await elsewhere.rpc.getLatestBlockhash().send();
    const message = await honestMessage({ ...chain, blockhash: value.blockhash }, create.intent);
    Object.assign(service, { operationId: OPERATION_ID, transaction: unsigned(message) });
    const prepared = await create.prepare(service.client);
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'GENESIS_HASH_MISMATCH', {
      context: { source: 'rpc', received: elsewhere.genesisHash },
    });
    await elsewhere.stop();
    nothingHappened();
  });

  it('refuses when the RPC fails or the call is aborted', async () => {
    const prepared = await transfer.prepare(service.client);
    chain.net.pause();
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'RPC_ERROR');
    chain.net.resume();
    await expectRefusal(
      service.client.signAndSubmit(wallet, prepared, { signal: AbortSignal.abort() }),
      'ABORTED',
    );
    nothingHappened();
  });
});

describe('what the wallet returns', () => {
  const answers: [
    string,
    ServiceErrorCode,
    (honest: PlainWallet, wire: Uint8Array) => Promise<Uint8Array>,
  ][] = [
    [
      'a changed message',
      'WALLET_CHANGED_TRANSACTION',
      async (honest, given) => {
        const changed = given.slice();
        changed[changed.length - 2]! ^= 1;
        return honest.signTransaction(changed);
      },
    ],
    [
      'more than was given',
      'WALLET_CHANGED_TRANSACTION',
      async (honest, given) => Uint8Array.from([...(await honest.signTransaction(given)), 0]),
    ],
    ['the transaction unsigned', 'WALLET_SIGNATURE_INVALID', async (_honest, given) => given],
    [
      'a wrong signature',
      'WALLET_SIGNATURE_INVALID',
      async (honest, given) => {
        const signed = await honest.signTransaction(given);
        signed[5]! ^= 1;
        return signed;
      },
    ],
    [
      'the signature of another key',
      'WALLET_SIGNATURE_INVALID',
      async (_honest, given) => {
        const other = await generateKeyPairSigner();
        const signature = await crypto.subtle.sign('Ed25519', other.keyPair.privateKey, given.slice(65));
        return Uint8Array.from([1, ...new Uint8Array(signature), ...given.slice(65)]);
      },
    ],
    ['no bytes', 'INVALID_ARGUMENT', async () => 'signed' as never],
    ['a refusal', 'WALLET_REJECTED', () => Promise.reject(new Error('declined'))],
  ];

  it.each(answers)('as %s is not submitted', async (_name, code, answer) => {
    const prepared = await transfer.prepare(service.client);
    const bad = {
      ...wallet,
      signTransaction: (given: Uint8Array) => answer(countingWallet(chain.wallet), given),
    };
    await expectRefusal(service.client.signAndSubmit(bad, prepared), code);
    expect(service.submitted).toEqual([]);
  });

  it('after the draft has expired is not submitted', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const prepared = await transfer.prepare(service.client);
    const slow = {
      ...wallet,
      async signTransaction(given: Uint8Array) {
        vi.setSystemTime(Date.now() + 91_000);
        return countingWallet(chain.wallet).signTransaction(given);
      },
    };
    await expectRefusal(service.client.signAndSubmit(slow, prepared), 'DRAFT_EXPIRED', {
      // The same call with the same draft cannot succeed.
      retryable: false,
    });
    expect(service.submitted).toEqual([]);
  });

  it('that never comes holds the wallet for as long as the draft lives', async () => {
    const prepared = await transfer.prepare(service.client);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let ask: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const signTransaction = () => {
      ask();
      return new Promise<never>(() => undefined);
    };
    const signing = service.client.signAndSubmit({ ...wallet, signTransaction }, prepared);
    const ended = expectRefusal(signing, 'DRAFT_EXPIRED');
    await asked;
    await vi.advanceTimersByTimeAsync(90_000);
    await ended;
    expect(service.submitted).toEqual([]);
    await expect(service.client.signAndSubmit(wallet, prepared)).resolves.toMatchObject({ state: 'QUEUED' });
  });

  it('of a kit signer is submitted', async () => {
    const prepared = await transfer.prepare(service.client);
    await expect(service.client.signAndSubmit(chain.wallet, prepared)).resolves.toMatchObject({
      state: 'QUEUED',
    });
  });
});

describe('after signed bytes have left', () => {
  const answers: [string, () => Response, string | undefined][] = [
    ['DRAFT_EXPIRED', () => refusal('DRAFT_EXPIRED', 409), 'DRAFT_EXPIRED'],
    ['TRANSACTION_MISMATCH', () => refusal('TRANSACTION_MISMATCH', 400), 'TRANSACTION_MISMATCH'],
    ['INTERNAL', () => refusal('INTERNAL', 500), 'INTERNAL'],
    [
      'no answer',
      () => {
        throw new TypeError('fetch failed');
      },
      'NETWORK_ERROR',
    ],
    ['nonsense', () => Response.json({}), 'UNEXPECTED_RESPONSE'],
    ['EXPIRED', () => operationAnswer(service.record('EXPIRED')), undefined],
    [
      'another operation',
      () => operationAnswer({ ...service.record('QUEUED'), operationId: OPERATION_ID.replace('6f', '7f') }),
      undefined,
    ],
    ['another kind', () => operationAnswer({ ...service.record('QUEUED'), kind: 'ISSUE' }), undefined],
    [
      'another wallet',
      () => operationAnswer({ ...service.record('QUEUED'), wallet: chain.other.address }),
      undefined,
    ],
    [
      'another signature',
      () => operationAnswer({ ...service.record('QUEUED'), signature: '1'.repeat(64) } as never),
      undefined,
    ],
  ];

  it.each(answers)('and the service answers %s, the outcome is unknown', async (_name, answer, code) => {
    service.instead.set(SUBMIT, answer);
    const prepared = await transfer.prepare(service.client);
    await expectRefusal(service.client.signAndSubmit(wallet, prepared), 'OUTCOME_UNKNOWN', {
      retryable: false,
      context: { operationId: OPERATION_ID, ...(code ? { answer: code } : {}) },
    });
    expect([wallet.asked, service.submitted.length]).toEqual([1, 1]);
  });

  it('their operation’s id is taken: no new request gets it', async () => {
    const early = await transfer.prepare(service.client);
    const raced = await transfer.prepare(service.client);
    const late = await transfer.prepare(service.client);
    const [first, second] = await Promise.allSettled([
      service.client.signAndSubmit(wallet, early),
      service.client.signAndSubmit(wallet, raced),
    ]);
    const won = [first, second].filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    const asked = wallet.asked;
    await expectRefusal(service.client.signAndSubmit(wallet, late), 'OPERATION_ALREADY_SIGNED', {
      context: { operationId: OPERATION_ID },
    });
    await expectRefusal(transfer.prepare(service.client), 'UNEXPECTED_RESPONSE');
    const request = {
      mint: chain.boundMint,
      source: chain.source,
      destination: chain.destination,
      amount: 500n,
    };
    await expectRefusal(
      service.client.prepare.transfer(request, { idempotencyKey: 'a-key-of-before' }),
      'OPERATION_ALREADY_SIGNED',
    );
    expect([wallet.asked, service.submitted.length]).toEqual([asked, 1]);
  });

  it('an error holds no signature', async () => {
    service.instead.set(SUBMIT, () => refusal('INTERNAL', 500));
    const prepared = await transfer.prepare(service.client);
    const error: unknown = await service.client
      .signAndSubmit(wallet, prepared)
      .catch((thrown: unknown) => thrown);
    const { inspect } = await import('node:util');
    const { getBase58Decoder, getBase64Decoder } = await import('@solana/kit');
    const signature = service.submitted[0]!.slice(1, 65);
    const text = inspect(error, { depth: 10, showHidden: true });
    for (const encoded of [
      getBase58Decoder().decode(signature),
      getBase64Decoder().decode(signature).slice(0, 80),
    ]) {
      expect(text).not.toContain(encoded);
    }
  });
});

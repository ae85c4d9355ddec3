/** On answers of an RPC that have a wrong type, and on an RPC that limits its requests. */
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { parseDeployment } from '../deployment.ts';
import type { Clock } from '../lib/clock.ts';
import { type Chain, callRpc, readGenesisHash, rpcOf } from './chain.ts';
import type { ChainRpc } from './checked-rpc.ts';

const HASH = DEPLOYMENT.genesisHash;
let pauses: number[];
let clock: Clock;
beforeEach(() => {
  pauses = [];
  let elapsed = 0;
  clock = {
    now: () => 1_700_000_000_000 + elapsed,
    elapsed: () => elapsed,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      elapsed += milliseconds;
    },
    limit: () => new Promise(() => undefined),
  };
});

/** Returns a chain whose RPC answers every request with the next result, and the last one again. Throws errors. */
function chainOf(...results: unknown[]): Chain {
  let next = 0;
  const rpc = new Proxy(
    {},
    {
      get: () => () => ({
        async send() {
          const result = results[Math.min(next++, results.length - 1)];
          if (result instanceof Error) throw result;
          return result;
        },
      }),
    },
  );
  return { deployment: parseDeployment(DEPLOYMENT), rpc: rpc as ChainRpc, clock };
}

function limited(retryAfter?: string): Error {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  return new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    statusCode: 429,
    message: 'Too Many Requests',
    headers,
  });
}

const read = (...results: unknown[]) => readGenesisHash(chainOf(...results), undefined);

describe('an RPC that limits requests', () => {
  it.each([
    ['the seconds of Retry-After', '7', 7_000],
    ['until the date of Retry-After', new Date(1_700_000_004_000).toUTCString(), 4_000],
    ['a short time without Retry-After', undefined, 500],
    ['a short time if Retry-After is not valid', 'soon', 500],
  ])('is asked again after %s', async (_name, header, milliseconds) => {
    await expect(read(limited(header), HASH)).resolves.toBe(HASH);
    expect(pauses).toEqual([milliseconds]);
  });

  it('is asked again if it puts the limit into the body', async () => {
    await expect(read(Object.assign(new Error(), { context: { __code: 429 } }), HASH)).resolves.toBe(HASH);
  });

  it.each(['30', '86400'])('is not waited for beyond the time limit of the call (%s s)', async (seconds) => {
    await expect(read(limited(seconds), HASH)).rejects.toMatchObject({ code: 'RPC_ERROR', retryable: true });
    expect(pauses).toEqual([]);
  });

  it('is named in the error with the remedy, after ever longer pauses', async () => {
    await expect(read(limited())).rejects.toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringMatching(/limits its requests.*paid/),
    });
    expect(pauses.length).toBeGreaterThan(3);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(30_000);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  });

  it('ends even if the clock stands still', async () => {
    clock = { ...clock, elapsed: () => 0, pause: async () => undefined };
    await expect(read(limited())).rejects.toMatchObject({ code: 'RPC_ERROR' });
  });
});

it('asks an RPC once that fails for another reason', async () => {
  const failing = new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    statusCode: 500,
    message: 'no',
    headers: new Headers(),
  });
  await expect(read(failing, HASH)).rejects.toMatchObject({ message: expect.stringContaining('rpcUrl') });
  expect(pauses).toEqual([]);
});

const CONTEXT = { slot: 5n };
const ACCOUNT = {
  data: ['', 'base64'],
  executable: false,
  lamports: 1n,
  owner: DEPLOYMENT.program,
};
const STATUS = { slot: 1n, err: null, confirmationStatus: 'finalized' };
const ENTRY = { signature: '1'.repeat(64), slot: 1n, memo: null, blockTime: null };
const FOUND = { slot: 1n, transaction: ['', 'base64'], meta: { err: null } };
const epoch = (blockHeight: unknown, absoluteSlot: unknown) => ({ blockHeight, absoluteSlot });
const blockhash = (more: object) => ({
  context: CONTEXT,
  value: { blockhash: HASH, lastValidBlockHeight: 1n, ...more },
});
const accounts = (...value: unknown[]) => ({ context: CONTEXT, value });
const without = (value: object, field: string) => ({ ...value, [field]: undefined });

/** Each method with its parameters, results that it may return, and results that it may not. */
const METHODS: [method: string, params: unknown[], valid: unknown[], invalid: unknown[]][] = [
  ['getAccountInfo', [], [{ context: CONTEXT, value: null }], [{ context: CONTEXT }, { value: null }]],
  ['getBlockTime', [1n], [1n], [null, -1n, 1, 2n ** 53n]],
  ['getEpochInfo', [], [epoch(1n, 1n)], [epoch(2n, 1n), epoch(undefined, 1n), epoch(1n, undefined), null]],
  ['getFirstAvailableBlock', [], [0n], [null, 0, 2n ** 53n]],
  ['getGenesisHash', [], [HASH], [undefined, 'x', 'x'.repeat(10_000)]],
  [
    'getLatestBlockhash',
    [],
    [blockhash({})],
    [blockhash({ blockhash: 'x' }), blockhash({ lastValidBlockHeight: null }), { value: null }],
  ],
  ['getMinimumBalanceForRentExemption', [0n], [2n ** 64n - 1n], [2n ** 64n, -1n, null, '1']],
  [
    'getMultipleAccounts',
    [['a', 'b']],
    [accounts(ACCOUNT, null), accounts({ ...ACCOUNT, space: null }, { ...ACCOUNT, space: 0n })],
    [
      accounts(ACCOUNT),
      accounts(),
      accounts(ACCOUNT, undefined),
      ...Object.keys(ACCOUNT).map((field) => accounts(without(ACCOUNT, field), null)),
    ],
  ],
  ['getRecentPrioritizationFees', [], [[], [{ prioritizationFee: 0n }]], [null, [null], [{}]]],
  [
    'getSignaturesForAddress',
    [HASH],
    [[], [ENTRY], [without(ENTRY, 'memo')]],
    [null, ...['signature', 'slot'].map((field) => [without(ENTRY, field)]), [{ ...ENTRY, memo: 1 }]],
  ],
  [
    'getSignatureStatuses',
    [['a']],
    [accounts(null), accounts(STATUS), accounts({ ...STATUS, err: { InstructionError: [1, 'X'] } })],
    [accounts(), accounts(null, null), ...['slot', 'err'].map((field) => accounts(without(STATUS, field)))],
  ],
  [
    'getTransaction',
    ['a'],
    [null, FOUND, { ...FOUND, meta: null }, { ...FOUND, meta: { err: 'AccountInUse' } }],
    [
      undefined,
      ...['slot', 'transaction'].map((field) => without(FOUND, field)),
      ...[undefined, [], {}, 'x', 1, true, { A: 1, B: 1 }].map((err) => ({ ...FOUND, meta: { err } })),
    ],
  ],
  ['isBlockhashValid', [HASH], [{ context: CONTEXT, value: false }], [{ context: CONTEXT, value: null }]],
  ['sendTransaction', [''], ['1'.repeat(64)], [null]],
];

type AnyMethod = (...params: unknown[]) => { send(options: object): Promise<unknown> };

describe.each(METHODS)('%s', (method, params, valid, invalid) => {
  const call = (result: unknown) =>
    callRpc(chainOf(result), 'Reading', undefined, (rpc, options) =>
      (rpc as unknown as Record<string, AnyMethod>)[method]!(...params).send(options),
    );

  it('returns a result with the documented type', async () => {
    for (const result of valid) await expect(call(result)).resolves.toBe(result);
  });

  it.each(invalid.map((result) => [result]))('rejects %o', async (result) => {
    await expect(call(result)).rejects.toMatchObject({
      code: 'RPC_ERROR',
      retryable: true,
      message: expect.stringContaining(`The result of ${method} from your own RPC is not valid`),
    });
  });
});

it('names the host of the RPC, and nothing else of its URL', async () => {
  const own = { rpc: 'http://127.0.0.1:1/secret?key=secret', clock };
  const failing = callRpc(own, 'Reading', undefined, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toMatchObject({
    message: expect.stringContaining('your own RPC 127.0.0.1:1.'),
  });
  await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  expect(rpcOf(own)).toBe(rpcOf(own));
});

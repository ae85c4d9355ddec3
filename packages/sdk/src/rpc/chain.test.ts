/** On an RPC that accepts requests and never answers them. */
import { type Address, createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { parseDeployment } from '../deployment.ts';
import { machineClock } from '../lib/clock.ts';
import { readFinalAccount } from './accounts.ts';
import { type Chain, callRpc, MOST_RPC_MS, readGenesisHash, readHeight } from './chain.ts';
import type { ChainRpc } from './checked-rpc.ts';

let requests: AbortSignal[];
let chain: Chain;

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  const silent: RpcTransport = ({ signal }) => {
    requests.push(signal!);
    return new Promise(() => undefined);
  };
  chain = {
    deployment: parseDeployment(DEPLOYMENT),
    rpc: createSolanaRpcFromTransport(silent) as ChainRpc,
    clock: machineClock,
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const address = DEPLOYMENT.program as Address;

it.each<[string, (signal?: AbortSignal) => Promise<unknown>]>([
  ['a call', (signal) => readGenesisHash(chain, signal)],
  ['a read of accounts', (signal) => readFinalAccount(chain, 'ruleSet', address, signal)],
])('cancels the request of %s that times out, and of one that the caller aborts', async (_name, call) => {
  const late = expect(call()).rejects.toMatchObject({ code: 'RPC_ERROR' });
  const controller = new AbortController();
  const aborted = expect(call(controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  await vi.advanceTimersByTimeAsync(0);
  controller.abort();
  await aborted;
  expect(requests.map((signal) => signal.aborted).sort()).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(MOST_RPC_MS);
  await late;
  expect(requests.map((signal) => signal.aborted)).toEqual([true, true]);
});

it('reads the height again after a sleep, which `elapsed` may not count', async () => {
  const height = { context: { slot: 1n }, value: { blockhash: address, lastValidBlockHeight: 151n } };
  const send = vi.fn(async () => height);
  let now = 0;
  const reading: Chain = {
    ...chain,
    rpc: { getLatestBlockhash: () => ({ send }) } as unknown as ChainRpc,
    clock: { ...machineClock, now: () => now, elapsed: () => 0 },
  };
  await readHeight(reading, undefined);
  now = 60_000;
  await readHeight(reading, undefined);
  expect(send).toHaveBeenCalledTimes(1);
  now = 8 * 3_600_000;
  await readHeight(reading, undefined);
  expect(send).toHaveBeenCalledTimes(2);
});

const hash = { send: async () => address };
const answering: ChainRpc = { getGenesisHash: () => hash } as never;
const throwing = (error: Error): ChainRpc =>
  ({ getGenesisHash: () => ({ send: () => Promise.reject(error) }) }) as never;

it.each([
  new TypeError('tip.at is not a function'),
  new ReferenceError('tip is not defined'),
  new RangeError('offset is out of bounds'),
  new SyntaxError('1.5 is not a BigInt'),
])('does not blame the RPC for a mistake in the code that reads its answer: %s', async (cause) => {
  const reading = callRpc({ ...chain, rpc: answering }, 'Reading', undefined, async (rpc, options) => {
    await rpc.getGenesisHash().send(options);
    throw cause;
  });
  await expect(reading).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', retryable: false, cause });
});

it.each([new TypeError('fetch failed'), new SyntaxError('Unexpected token <'), new Error('socket hang up')])(
  'blames the RPC for what its call throws: %s',
  async (cause) => {
    const reading = readGenesisHash({ ...chain, rpc: throwing(cause) }, undefined);
    await expect(reading).rejects.toMatchObject({ code: 'RPC_ERROR', retryable: true, cause });
  },
);

it('blames the RPC for an answer that is not what was asked for', async () => {
  const reading = callRpc({ ...chain, rpc: answering }, 'Reading', undefined, async () => {
    throw new Error('The RPC returns the same page again.');
  });
  await expect(reading).rejects.toMatchObject({ code: 'RPC_ERROR' });
});

it('blames the RPC at a URL for an answer that is not JSON', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'));
  const reading = readGenesisHash({ ...chain, rpc: 'https://rpc.test' }, undefined);
  await expect(reading).rejects.toMatchObject({ code: 'RPC_ERROR', cause: expect.any(SyntaxError) });
});

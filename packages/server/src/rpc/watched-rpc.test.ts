import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable } from '../lib/unavailable.ts';
import { RpcAnswerError } from './answers.ts';
import { openRpc } from './open-rpc.ts';
import { type RpcCall, watchRpc } from './watched-rpc.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Answer;
let requests: number;
const calls: RpcCall[] = [];
const server = createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => answer(request, response));
});
let rpc: ReturnType<typeof watchRpc>;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  rpc = watchRpc(openRpc(`http://127.0.0.1:${port}`), (call) => calls.push(call));
});
beforeEach(() => {
  requests = 0;
  calls.length = 0;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const text =
  (body: string): Answer =>
  (_request, response) =>
    void response.end(body);
const result = (value: unknown) => text(JSON.stringify({ jsonrpc: '2.0', id: '1', result: value }));
const cut: Answer = (request) => void request.socket.resetAndDestroy();
const failure = () =>
  rpc
    .getBalance('11111111111111111111111111111111' as never)
    .send()
    .then(
      () => null,
      (error: unknown) => error,
    );
const seen = () => calls.map(({ method, result: how }) => [method, how]);

describe('a response', () => {
  it('of the right form is returned, and counted', async () => {
    answer = result({ context: { slot: 5 }, value: 7 });
    expect((await rpc.getBalance('11111111111111111111111111111111' as never).send()).value).toBe(7n);
    expect(seen()).toEqual([['getBalance', 'ok']]);
    expect(calls[0]?.milliseconds).toBeGreaterThan(0);
  });

  it.each<[string, Answer]>([
    ['broken JSON', text('{"jsonrpc":"2.0","id":"1","resu')],
    ['a page', text('<html>503 Service Unavailable</html>')],
    ['nothing', text('')],
    ['null', text('null')],
    ['a list', text('[]')],
    ['neither a result nor an error', text('{"jsonrpc":"2.0","id":"1"}')],
    ['an error that is text', text('{"jsonrpc":"2.0","id":"1","error":"too many requests"}')],
    ['a result of another method', result(7)],
    ['a result without its context', result({ value: 7 })],
    ['a result without its value', result({ context: { slot: 5 } })],
  ])('that is %s means that the RPC is unavailable', async (_what, given) => {
    answer = given;
    const error = await failure();
    expect([error instanceof RpcAnswerError, isUnavailable(error)]).toEqual([true, true]);
    expect(seen()).toEqual([['getBalance', 'failed']]);
  });

  it('with fewer entries than the request means that the RPC is unavailable', async () => {
    answer = result({ context: { slot: 5 }, value: [null] });
    const addresses = ['11111111111111111111111111111111', 'SysvarC1ock11111111111111111111111111111111'];
    const request = rpc.getMultipleAccounts(addresses as never);
    await expect(request.send()).rejects.toThrow('another number of entries');
  });

  it('that is an error of the node is thrown as it is', async () => {
    answer = text('{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"Invalid param"}}');
    expect(isUnavailable(await failure())).toBe(false);
    expect(seen()).toEqual([['getBalance', 'rejected']]);
  });
});

describe('a connection', () => {
  it('that breaks is tried once more', async () => {
    const [first, second] = [cut, result({ context: { slot: 5 }, value: 7 })];
    answer = (...on) => (requests === 1 ? first(...on) : second(...on));
    expect(await failure()).toBeNull();
    expect([requests, seen()]).toEqual([2, [['getBalance', 'ok']]]);
  });

  it('that breaks twice means that the RPC is unavailable', async () => {
    answer = cut;
    expect(isUnavailable(await failure())).toBe(true);
    expect([requests, seen()]).toEqual([2, [['getBalance', 'failed']]]);
  });

  it('is not tried again after the caller gave up, which is no failure of the RPC', async () => {
    const gone = new AbortController();
    answer = (request) => {
      gone.abort();
      request.socket.resetAndDestroy();
    };
    await expect(rpc.getSlot().send({ abortSignal: gone.signal })).rejects.toThrow();
    expect([requests, seen()]).toEqual([1, []]);
  });
});

it('does not warn of a leak while many calls wait for one signal', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  answer = result({ context: { slot: 5 }, value: [null] });
  const { signal } = new AbortController();
  const addresses = Array.from({ length: 30 }, (_, index) => `${'1'.repeat(30)}${index + 11}` as never);
  await Promise.all(
    addresses.map((address) => rpc.getMultipleAccounts([address]).send({ abortSignal: signal })),
  );
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

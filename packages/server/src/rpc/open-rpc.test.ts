import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  createSolanaRpc,
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaRpcApi,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRpc } from './open-rpc.ts';

const PROGRAM = '11111111111111111111111111111111' as Address;

let answer: { readonly status?: number; readonly body: string };
let request: { readonly method: string; readonly params: readonly unknown[] };
const server = createServer(async (incoming, response) => {
  request = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
  response.statusCode = answer.status ?? 200;
  response.end(answer.body);
});
let ours: Rpc<SolanaRpcApi>;
let kits: Rpc<SolanaRpcApi>;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [ours, kits] = [openRpc(url), createSolanaRpc(url)];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Returns the result or the error of the same call. */
const call = (rpc: Rpc<SolanaRpcApi>, abortSignal?: AbortSignal) =>
  rpc
    .getProgramAccounts(PROGRAM, {
      ...{ encoding: 'base64', withContext: true, minContextSlot: 9_007_199_254_740_991n },
      filters: [{ memcmp: { offset: 35n, bytes: 'Aw==' as never, encoding: 'base64' } }],
    })
    .send(abortSignal && { abortSignal })
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );

function account(fields: string): string {
  return `{"pubkey":"${PROGRAM}","account":{"data":["CAE=","base64"],"executable":false,"owner":"${PROGRAM}",${fields}}}`;
}
const resultOf = (...accounts: string[]) =>
  `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":400000000,"apiVersion":"3.0.0"},"value":[${accounts}]}}`;

it.each([
  ['no account', resultOf()],
  [
    'integers of every size',
    resultOf(
      account('"lamports":0,"rentEpoch":0,"space":2'),
      account('"lamports":9007199254740993,"rentEpoch":18446744073709551615,"space":2'),
      account('"lamports" : 18446744073709551615 , "space":9007199254740991,"rentEpoch"\n:\t361 '),
    ),
  ],
  [
    'text that looks like an account',
    resultOf(
      account(String.raw`"lamports":1,"note":"\"lamports\":18446744073709551615,","list":["1",-5,0.25]`),
    ),
  ],
  ['an account that is null', resultOf('null', `{"pubkey":"${PROGRAM}","account":null}`)],
  [
    'a list without a context',
    `{"jsonrpc":"2.0","id":"1","result":[${account('"lamports":18446744073709551615')}]}`,
  ],
  ['an error', '{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"Invalid param"}}'],
  ['broken JSON', '{"jsonrpc":"2.0","resu'],
  ['null', 'null'],
])('reads a response with %s as kit does', async (_what, body) => {
  answer = { body };
  const found = await call(ours);
  const asked = request;
  expect(found).toEqual(await call(kits));
  expect(asked).toEqual({ ...request, id: expect.anything() });
});

it('throws the status of a response', async () => {
  answer = { status: 429, body: 'slow down' };
  const { error } = (await call(ours)) as { error: unknown };
  expect(isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) && error.context.statusCode).toBe(429);
});

it('ends a call whose signal aborts', async () => {
  answer = { body: resultOf() };
  expect(await call(ours, AbortSignal.abort(new Error('The caller gave up.')))).toEqual({
    error: new Error('The caller gave up.'),
  });
});

it('leaves other calls to kit', async () => {
  answer = {
    body: '{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":5},"value":18446744073709551615}}',
  };
  expect((await ours.getBalance(PROGRAM).send()).value).toBe(2n ** 64n - 1n);
});

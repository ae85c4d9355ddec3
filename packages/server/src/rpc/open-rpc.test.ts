import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
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
import { RpcConnectionError } from './post.ts';

const PROGRAM = '11111111111111111111111111111111' as Address;

let answer: {
  readonly status?: number;
  /** Answers with status 101 and nothing else. */
  readonly isUpgrade?: boolean;
  readonly encoding?: string;
  /** The announced length; the connection ends after the body. */
  readonly length?: number;
  readonly body: string | Uint8Array;
};
let connections = 0;
let request: { readonly method: string; readonly params: readonly unknown[] };
const server = createServer(async (incoming, response) => {
  request = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
  if (answer.isUpgrade) {
    return incoming.socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n',
    );
  }
  response.statusCode = answer.status ?? 200;
  if (answer.encoding) response.setHeader('content-encoding', answer.encoding);
  if (!answer.length) return response.end(answer.body);
  response.setHeader('content-length', answer.length);
  response.write(answer.body, () => incoming.socket.destroy());
});
server.on('connection', () => {
  connections += 1;
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

const balance = (value: string) =>
  `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":5},"value":${value}}}`;

it.each([
  ['a small integer', '7'],
  ['a large integer', '18446744073709551615'],
  ['a large negative integer', '[-9007199254740993]'],
  ['fractions and exponents', '[0.12345678901234567,1234567890123456.5,5e-17,1e20]'],
  ['texts with digits', String.raw`["\"18446744073709551615","1844674407370955161\\\\"]`],
  ['an object like the mark of a large integer', '{"$n":"184467440737095516150"}'],
])('reads another response with %s as kit does', async (_what, value) => {
  answer = { body: balance(value) };
  const [our, kit] = await Promise.all(
    [ours, kits].map((rpc) =>
      rpc
        .getBalance(PROGRAM)
        .send()
        .catch(() => 'error'),
    ),
  );
  expect(our).toEqual(kit);
});

it('reads a compressed response', async () => {
  for (const encoding of ['gzip', 'GZIP']) {
    answer = { body: gzipSync(balance('7')), encoding };
    expect((await ours.getBalance(PROGRAM).send()).value).toBe(7n);
  }
});

it('searches a text that does not end only once', async () => {
  // Searching it again from each quote would take minutes.
  answer = { body: balance(`[12345678901234567,"${'\\"'.repeat(1_000_000)}`) };
  await expect(ours.getBalance(PROGRAM).send()).rejects.toThrow(SyntaxError);
});

it('reads a long text', async () => {
  const long = `"${'a'.repeat(20_000_000)}"`;
  answer = { body: balance(`[12345678901234567,${long}]`) };
  const { value } = (await ours.getBalance(PROGRAM).send()) as unknown as { value: [bigint, string] };
  expect([value[0], value[1].length]).toEqual([12345678901234567n, 20_000_000]);
});

it('opens an RPC whose URL has a scheme in capitals', async () => {
  answer = { body: balance('7') };
  const url = `HTTP://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await openRpc(url).getBalance(PROGRAM).send()).value).toBe(7n);
});

it.each([
  ['that ends halfway', { body: '{', length: 100 }],
  ['that cannot be decompressed', { body: 'text', encoding: 'gzip' }],
  ['that is of another protocol', { body: '', isUpgrade: true }],
])('rejects a response %s', async (_what, given) => {
  answer = given;
  await expect(ours.getBalance(PROGRAM).send()).rejects.toThrow(RpcConnectionError);
});

it('keeps its connections', async () => {
  answer = { body: balance('7') };
  const before = connections;
  for (let call = 0; call < 5; call++) await ours.getBalance(PROGRAM).send();
  expect(connections - before).toBeLessThanOrEqual(1);
});

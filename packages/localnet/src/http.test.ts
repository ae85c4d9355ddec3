import { once } from 'node:events';
import { request } from 'node:http';
import { createSolanaRpc } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError, net, other, payer, useCluster } from '../test/support/cluster.ts';
import { memoInstruction, SOL } from '../test/support/index.ts';

let url: string;

useCluster({ finalitySlots: 2 });
beforeEach(async () => {
  ({ url } = await net.listen({ port: 0 }));
});
afterEach(() => net.stop());

async function post(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

/** Returns the JSON of a request. */
const requestOf = (method: string, ...params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('over HTTP', () => {
  it('responds to a kit client as in-process', async () => {
    const rpc = createSolanaRpc(url);
    const { wire, signature } = await net.signByPayer(net.transferOf(SOL), memoInstruction('é'));
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    expect(await rpc.sendTransaction(wire, config).send()).toBe(signature);
    net.advanceSlots(2);
    const calls = (client: typeof rpc) => [
      client.getLatestBlockhash(),
      client.getAccountInfo(other, { encoding: 'base64' }),
      client.getBalance(payer.address),
      client.getProgramAccounts(payer.address, { encoding: 'base64' }),
      client.getSignatureStatuses([signature]),
      client.getSignaturesForAddress(other),
      client.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }),
      client.getEpochInfo(),
      client.getVersion(),
      client.getBlockTime(net.slot),
    ];
    const answers = (client: typeof rpc) => Promise.all(calls(client).map((call) => call.send()));
    expect(await answers(rpc)).toEqual(await answers(net.rpc as typeof rpc));
  });

  it('writes all digits of u64 values', async () => {
    const { text } = await post(requestOf('getAccountInfo', payer.address, { encoding: 'base64' }));
    expect(text).toContain('"rentEpoch":18446744073709551615,');
    expect(text).toContain('"lamports":10000000000,');
  });

  it('responds to batches in order, without notifications', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
    ];
    const { text } = await post(JSON.stringify(batch));
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 'a', result: 'ok' },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
    ]);
    expect((await post('[]')).status).toBe(204);
  });

  it('rejects invalid requests', async () => {
    for (const [body, code] of [
      ['{', -32700],
      ['5', -32700],
      ['[{"jsonrpc":"2.0","id":1,"method":"getHealth"},5]', -32700],
      ['{"jsonrpc":"2.0","id":{},"method":"getHealth"}', -32700],
      ['{"jsonrpc":"2.0","id":1,"method":"getHealth","params":"x"}', -32600],
      ['{"id":1,"method":"getHealth"}', -32600],
      [requestOf('toString'), -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"getBalance"}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"getBalance","params":{}}', -32602],
      [requestOf('getBalance', 'x'), -32602],
      [requestOf('getSlot', { commitment: 'recent' }), -32602],
      // JavaScript has no such number, so the text is written by hand.
      ['{"jsonrpc":"2.0","id":1,"method":"getBlockTime","params":[9007199254740993]}', -32602],
    ] as const) {
      expect(JSON.parse((await post(body)).text), body).toMatchObject({ error: { code } });
    }
  });

  it('limits the body and accepts only JSON by POST', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth', padding: 'x'.repeat(60_000) });
    expect((await post(body)).status).toBe(413);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(url)).status).toBe(405);
    expect(await (await fetch(`${url}/health`)).text()).toBe('ok');
    expect((await post(requestOf('getHealth'))).status).toBe(200);
  });

  it('accepts browser requests from any origin', async () => {
    const preflight = await fetch(url, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
  });

  it('continues after a client disconnects during a request', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '100' };
    const broken = request(url, { method: 'POST', headers });
    broken.write('{', () => broken.destroy(new Error('gone')));
    await once(broken, 'error');
    expect((await post(requestOf('getHealth'))).status).toBe(200);
  });

  it('listens on loopback by default', async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(net.listen({ port: 0, host: '0.0.0.0' })).rejects.toThrow('allowRemote');
  });

  it('rejects if the port is in use', async () => {
    const port = Number(new URL(url).port);
    await expect(net.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('faults', () => {
  it('responds 503 while paused, over HTTP and in-process, and the chain continues', async () => {
    net.pause();
    for (const rpc of [createSolanaRpc(url), net.rpc])
      await expectError(rpc.getSlot().send(), 'SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR', { statusCode: 503 });
    const before = net.slot;
    net.advanceSlots(3);
    net.resume();
    expect(await createSolanaRpc(url).getSlot({ commitment: 'processed' }).send()).toBe(before + 3n);
  });

  it('closes connections while unreachable', async () => {
    net.pause('unreachable');
    const failure = { name: 'TypeError', message: 'fetch failed' };
    for (const rpc of [createSolanaRpc(url), net.rpc])
      await expect(rpc.getSlot().send()).rejects.toMatchObject(failure);
    net.resume();
    await createSolanaRpc(url).getSlot().send();
  });

  it('refuses connections after stop', async () => {
    await net.stop();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

it('rejects a method that does not exist', async () => {
  const { getNothing } = net.rpc as unknown as Record<string, () => { send(): Promise<unknown> }>;
  await expectError(getNothing!().send(), 'SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND');
});

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Localnet } from '@service/localnet';
import { generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { requestFromFaucet } from './faucet.ts';
import { createRemoteRpc, type RemoteRpc } from './remote-rpc.ts';

/** Runs a function with the URL of a site on loopback. */
async function withSite(respond: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?api-key=SECRET`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

it.each<[string, RequestListener, string, string]>([
  [
    'a page',
    (_, response) => response.end('<html>'),
    'NOT_AN_RPC',
    'is not a Solana RPC: its response is not JSON.',
  ],
  ['404', (_, response) => response.writeHead(404).end(), 'NOT_AN_RPC', 'is not a Solana RPC: HTTP 404.'],
  ['nothing', () => undefined, 'UNREACHABLE', 'does not respond: no response within 0.2 s.'],
  [
    'a closed connection',
    (request) => request.socket.destroy(),
    'UNREACHABLE',
    'does not respond: other side closed.',
  ],
])('a site that answers %s', async (what, respond, code, message) => {
  await withSite(respond, async (url) => {
    // Only a site that never responds has a short limit, because a busy machine needs time for its first response.
    const timeoutMs = what === 'nothing' ? 200 : 20_000;
    const error = await createRemoteRpc(url, timeoutMs)
      .getGenesisHash()
      .send()
      .then(String, (thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'ClusterError', code, message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('SECRET');
  });
});

it('a call that the caller aborts rejects with the reason of the caller', async () => {
  await withSite(
    () => undefined,
    async (url) => {
      const abort = new AbortController();
      const call = createRemoteRpc(url).getSlot().send({ abortSignal: abort.signal });
      abort.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
    },
  );
});

it('SOL from the faucet that does not arrive is FAUCET_REFUSED', async () => {
  const net = Localnet.start({ slotMs: 20, finalitySlots: 2 });
  try {
    const { address } = await generateKeyPairSigner();
    const rpc = net.rpc as RemoteRpc;
    const options = { rpc, url: 'http://127.0.0.1:1', address, remedy: 'Do this.', timeoutMs: 500 };
    net.dropTransactions(true);
    await expect(requestFromFaucet(options)).rejects.toMatchObject({
      code: 'FAUCET_REFUSED',
      message: 'The faucet of http://127.0.0.1:1 gave no SOL: the SOL did not arrive within 0.5 s. Do this.',
    });
    net.dropTransactions(false);
    await requestFromFaucet({ ...options, timeoutMs: 60_000 });
    const { value } = await rpc.getBalance(address, { commitment: 'confirmed' }).send();
    expect(value).toBe(1_000_000_000n);
  } finally {
    await net.stop();
  }
});

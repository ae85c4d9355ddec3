import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Server } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { net, payer, useCluster } from '../../test/support/cluster.ts';
import { SOL } from '../../test/support/index.ts';
import { openSocket } from '../../test/support/socket-client.ts';

const limits = { maxConnections: 2, maxSubscriptions: 3, maxMessageBytes: 500, maxUnsentBytes: 10_000 };
useCluster({ finalitySlots: 2, socketLimits: limits });
afterEach(() => net.stop());

/** Returns the response to a handshake that the node rejects. */
async function rejection(url: string) {
  const socket = new WebSocket(url);
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, text };
}

/** Sends bytes to a port and returns everything that comes back. */
async function exchange(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('limits', () => {
  it('rejects connections above the limit until one closes', async () => {
    const { websocketUrls } = await net.listen({ port: 0 });
    const [url] = websocketUrls;
    const [first] = [await openSocket(url), await openSocket(url)];
    expect(await rejection(url)).toEqual({ status: 503, text: expect.stringContaining('2 connections') });
    first.socket.close();
    await first.closed;
    await (await openSocket(url)).call('ping');
  });

  it('rejects subscriptions above the limit of a connection', async () => {
    const [url] = (await net.listen({ port: 0 })).websocketUrls;
    const [client, another] = [await openSocket(url), await openSocket(url)];
    const [first] = [1, 2, 3].map(() => client.subscribe('slotSubscribe'));
    expect(await client.call('slotSubscribe')).toMatchObject({ error: { code: -32603 } });
    await another.subscribe('slotSubscribe');
    await client.call('slotUnsubscribe', await first);
    await client.subscribe('slotSubscribe');
  });

  it('closes a connection whose message is too long or binary', async () => {
    const [url] = (await net.listen({ port: 0 })).websocketUrls;
    const [long, binary] = [await openSocket(url), await openSocket(url)];
    long.socket.send('x'.repeat(501));
    expect(await long.closed).toBe(1009);
    binary.socket.send(Buffer.from('{}'));
    expect(await binary.closed).toBe(1003);
  });

  it('ends the connection of a client that does not read, and keeps the others', async () => {
    const [url] = (await net.listen({ port: 0 })).websocketUrls;
    const [slow, quick] = [await openSocket(url), await openSocket(url)];
    const hashes = 'SysvarS1otHashes111111111111111111111111111';
    await slow.subscribe('accountSubscribe', hashes, { commitment: 'processed', encoding: 'base64' });
    await quick.subscribe('slotSubscribe');
    slow.socket.pause();
    let slots = 0;
    // 27 kB a slot fill the buffers of the operating system, and then the node's.
    for (; slots < 5000 && !(await isRejected()); slots += 100) net.advanceSlots(100);
    expect(slots).toBeLessThan(5000);
    expect(await quick.results()).toHaveLength(slots);
    slow.socket.resume();
    expect(await slow.closed).toBe(1006);

    /** The node has room for a third connection once it has ended the slow one. */
    async function isRejected() {
      const third = new WebSocket(url);
      third.on('error', () => undefined);
      const isOpen = await Promise.race([
        once(third, 'open').then(() => true),
        once(third, 'unexpected-response').then(() => false),
      ]);
      third.terminate();
      return isOpen;
    }
  });
});

describe('connections', () => {
  it('end when the node stops, on every port', async () => {
    const listeners = [await net.listen({ port: 0 }), await net.listen({ port: 0 })];
    const clients = await Promise.all(
      listeners.map(({ websocketUrls }) => openSocket(websocketUrls.at(-1)!)),
    );
    await net.stop();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1006, 1006]);
    for (const { websocketUrls } of listeners)
      for (const url of websocketUrls) await expect(openSocket(url!)).rejects.toThrow('ECONNREFUSED');
  });

  it('of one listener end when it closes', async () => {
    const [first, second] = [await net.listen({ port: 0 }), await net.listen({ port: 0 })];
    const ended = await openSocket(first.websocketUrls[0]);
    const kept = await openSocket(second.websocketUrls[0]);
    await first.close();
    await ended.closed;
    await kept.call('ping');
  });

  it('end and are rejected while paused', async () => {
    const [url] = (await net.listen({ port: 0 })).websocketUrls;
    const before = await openSocket(url);
    net.pause();
    await before.closed;
    expect((await rejection(url)).status).toBe(503);
    net.pause('unreachable');
    await expect(openSocket(url)).rejects.toThrow('socket hang up');
    net.resume();
    await (await openSocket(url)).call('ping');
  });
});

describe('ports', () => {
  it('are the port of HTTP and the next, which serves only WebSocket', async () => {
    const { url, websocketUrls } = await net.listen({ port: 0 });
    expect(websocketUrls[0]).toBe(url.replace('http', 'ws'));
    expect(Number(new URL(websocketUrls[1]!).port)).toBe(Number(new URL(url).port) + 1);
    const client = await openSocket(websocketUrls[1]!);
    await client.subscribe('slotSubscribe');
    net.advanceSlots(1);
    expect(await client.results()).toHaveLength(1);
    expect((await fetch(websocketUrls[1]!.replace('ws', 'http'), { method: 'POST' })).status).toBe(426);
  });

  it('are chosen again when the one after a free port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const bind = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
      return this.listen(port - 1, '127.0.0.1');
    });
    const { websocketUrls } = await net.listen({ port: 0 });
    taken.close();
    bind.mockRestore();
    await (await openSocket(websocketUrls[1]!)).call('ping');
  });

  it('are only the port of HTTP when the next of a named port is in use', async () => {
    for (let tries = 0; tries < 20; tries++) {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const listener = await net.listen({ port: port - 1 }).catch(() => null);
      const urls = listener?.websocketUrls;
      taken.close();
      if (!urls) continue;
      expect(urls).toEqual([`ws://127.0.0.1:${port - 1}`]);
      return;
    }
    throw new Error('No two ports are free.');
  });
});

describe('HTTP', () => {
  it('responds to a request that asks for another protocol as before', async () => {
    const { url } = await net.listen({ port: 0 });
    await net.landTransfer(SOL);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [payer.address] });
    const request = (connection: string, upgrade: string) =>
      [
        'POST / HTTP/1.1',
        'Host: localhost',
        `Connection: ${connection}`,
        upgrade,
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n');
    for (const name of ['h2c', 'websocket']) {
      const twice = request('Upgrade, HTTP2-Settings', `Upgrade: ${name}`) + request('close', 'X-Last: yes');
      const text = await exchange(url, twice);
      expect(text.match(/HTTP\/1\.1 200 OK/g), text).toHaveLength(2);
      expect(text.match(/"value":10000000000/g)).toHaveLength(2);
    }
    expect(await exchange(url, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('405');
  });
});

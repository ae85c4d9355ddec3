import { once } from 'node:events';
import { Agent, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen, MOST_WAITING } from '@service/process';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { getWith } from '../../test/support/loopback.ts';
import { newSignal } from '../../test/support/signal.ts';
import type { HttpApp } from './routing/variables.ts';

/** A listener that answers /held only after letGo(). */
async function held() {
  const [request, release] = [newSignal(), newSignal()];
  const app = new Hono();
  app.get('/', (context) => context.text('at once'));
  app.get('/held', async (context) => {
    request.reach();
    await release.reached;
    return context.text('held');
  });
  const listener = await listen(app as unknown as HttpApp, { port: 0 });
  return { listener, reached: request.reached, letGo: release.reach };
}

/** Sends one request on a connection that stays open. */
const get = (url: string, path: string, agent: Agent) =>
  getWith({ hostname: '127.0.0.1', port: new URL(url).port, path, agent });

test('a closing listener answers pending requests, and then closes their connections', async () => {
  const { listener, reached, letGo } = await held();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await get(listener.url, '/', agent)).toEqual({ connection: 'keep-alive', body: 'at once' });
  const answer = get(listener.url, '/held', agent);
  await reached;
  const closed = listener.close(new AbortController().signal);
  await expect(fetch(listener.url)).rejects.toThrow('fetch failed');
  letGo();
  expect(await answer).toEqual({ connection: 'close', body: 'held' });
  await closed;
  agent.destroy();
});

test('it closes idle connections at once, and late requests at the end of the grace period', async () => {
  const { listener, reached, letGo } = await held();
  const agent = new Agent({ keepAlive: true });
  await get(listener.url, '/', agent);
  const answer = get(listener.url, '/held', agent);
  await reached;
  const grace = new AbortController();
  const closed = listener.close(grace.signal);
  grace.abort();
  await expect(answer).rejects.toThrow('socket hang up');
  await closed;
  letGo();
  agent.destroy();
});

test('a visitor has 10 seconds to send headers and 30 to send a request, not Node’s five minutes', async () => {
  const listening = vi.spyOn(Server.prototype, 'listen');
  const { listener } = await held();
  const [server] = listening.mock.contexts as Server[];
  listening.mockRestore();
  expect(server).toMatchObject({ requestTimeout: 30_000, headersTimeout: 10_000 });
  await listener.close(new AbortController().signal);
});
/** Opens connections that send a part of their headers. Returns them in their order. */
async function slowConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: ');
    sockets.push(socket);
  }
  return sockets;
}

test('slow headers end the oldest slow connection of their address, and delay no other request', async () => {
  const { listener } = await held();
  const sockets = await slowConnections(listener.port, MOST_WAITING);
  const closed = sockets.slice(0, 3).map((socket) => once(socket, 'close'));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first request takes the place of the oldest connection, and leaves it free when its headers are complete.
  for (let requests = 0; requests < 5; requests += 1)
    expect((await get(listener.url, '/', agent)).body).toBe('at once');
  const more = await slowConnections(listener.port, 3);
  await Promise.all(closed);
  expect(sockets.slice(3).filter((socket) => socket.destroyed)).toEqual([]);
  for (const socket of [...sockets, ...more]) socket.destroy();
  agent.destroy();
  await listener.close(new AbortController().signal);
});

test('a network has no more slow connections than its bound, however fast they come', async () => {
  const { listener } = await held();
  const opened = Array.from({ length: 3 * MOST_WAITING }, () => {
    const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1' });
    socket.on('error', () => undefined).on('connect', () => socket.write('GET / HTTP/1.1\r\nHost: '));
    return socket;
  });
  const closed = new Set<Socket>();
  await new Promise<void>((resolve) => {
    for (const socket of opened)
      socket.once('close', () => closed.add(socket).size === 2 * MOST_WAITING && resolve());
  });
  expect((await fetch(listener.url)).status).toBe(200);
  for (const socket of opened) socket.destroy();
  await listener.close(new AbortController().signal);
});

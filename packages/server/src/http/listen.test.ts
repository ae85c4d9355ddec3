import { Agent, Server } from 'node:http';
import { listen } from '@service/process';
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

test('a visitor has 30 seconds to send a request, not Node’s five minutes', async () => {
  const listening = vi.spyOn(Server.prototype, 'listen');
  const { listener } = await held();
  const [server] = listening.mock.contexts as Server[];
  listening.mockRestore();
  expect(server).toMatchObject({ requestTimeout: 30_000, headersTimeout: 30_000 });
  await listener.close(new AbortController().signal);
});

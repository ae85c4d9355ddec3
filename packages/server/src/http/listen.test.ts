import { Agent, request as httpRequest, Server } from 'node:http';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { listen } from './listen.ts';
import type { HttpApp } from './routing/variables.ts';

/** A listener whose answers to /held wait until they are let go. */
async function held() {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isReached = () => {};
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  const app = new Hono();
  app.get('/', (context) => context.text('at once'));
  app.get('/held', async (context) => {
    isReached();
    await gate;
    return context.text('held');
  });
  const listener = await listen(app as unknown as HttpApp, { port: 0 });
  return { listener, reached, letGo };
}

/** One request on a connection that is kept open. */
function get(url: string, agent: Agent): Promise<{ connection: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ connection: response.headers.connection, body }));
    });
    request.once('error', reject);
    request.end();
  });
}

test('a listener that closes answers what is under way, and nothing after it on the same connection', async () => {
  const { listener, reached, letGo } = await held();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await get(`${listener.url}/`, agent)).toEqual({ connection: 'keep-alive', body: 'at once' });
  const answer = get(`${listener.url}/held`, agent);
  await reached;
  const closed = listener.close(new AbortController().signal);
  await expect(fetch(listener.url)).rejects.toThrow('fetch failed');
  letGo();
  expect(await answer).toEqual({ connection: 'close', body: 'held' });
  await closed;
  agent.destroy();
});

test('it closes at once when connections are open that ask for nothing, and breaks off what takes too long', async () => {
  const { listener, reached, letGo } = await held();
  const agent = new Agent({ keepAlive: true });
  await get(`${listener.url}/`, agent);
  const answer = get(`${listener.url}/held`, agent);
  await reached;
  const grace = new AbortController();
  const closed = listener.close(grace.signal);
  grace.abort();
  await expect(answer).rejects.toThrow('socket hang up');
  await closed;
  letGo();
  agent.destroy();
});

test('a visitor has half a minute to send a request, not the five of Node', async () => {
  const listening = vi.spyOn(Server.prototype, 'listen');
  const { listener } = await held();
  const [server] = listening.mock.contexts as Server[];
  listening.mockRestore();
  expect(server).toMatchObject({ requestTimeout: 30_000, headersTimeout: 30_000 });
  await listener.close(new AbortController().signal);
});

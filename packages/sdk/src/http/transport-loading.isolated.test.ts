import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../../test/support/loopback.ts';
import { createApi } from './transport.ts';

/** What the import of the chunk returns. */
let arrives: () => Promise<never>;
vi.mock('../lib/load-chunk.ts', async (original) => {
  const { loadChunk } = await original<typeof import('../lib/load-chunk.ts')>();
  return {
    loadChunk: (_load: unknown, signal?: AbortSignal, timeoutMs?: number) =>
      loadChunk(() => arrives(), signal, timeoutMs),
  };
});

let requests: number;
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  requests = 0;
  server = await listen((_request, response) => {
    requests++;
    response.end();
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const call = (retry = {}) =>
  createApi({ baseUrl: server.origin, origin: server.origin, fetch, retry }).call('session', {});

it('sends nothing if the endpoints cannot be loaded', async () => {
  arrives = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  await expect(call()).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: expect.stringContaining('A part of the SDK could not be loaded'),
  });
  expect(requests).toBe(0);
});

it('loads the endpoints within the time of the call', async () => {
  vi.useFakeTimers();
  arrives = () => new Promise(() => undefined);
  let failure: unknown;
  call({ timeoutMs: 1_000 }).catch((error: unknown) => (failure = error));
  await vi.advanceTimersByTimeAsync(999);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(failure).toMatchObject({ code: 'TIMEOUT' });
  expect(requests).toBe(0);
});

import { afterEach, expect, it, vi } from 'vitest';
import { loadChunk } from './load-chunk.ts';

afterEach(() => void vi.useRealTimers());

it('times out after 30 seconds if a chunk does not arrive', async () => {
  vi.useFakeTimers();
  let answer: unknown;
  loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => (answer = error));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answer).toMatchObject({ code: 'TIMEOUT', retryable: true });
});

it('throws NETWORK_ERROR for a missing chunk, and leaves no timer', async () => {
  vi.useFakeTimers();
  const cause = new TypeError('Failed to fetch dynamically imported module');
  const loading = loadChunk(() => Promise.reject(cause));
  await expect(loading).rejects.toMatchObject({ code: 'NETWORK_ERROR', cause });
  expect(await loadChunk(() => Promise.resolve('chunk'))).toBe('chunk');
  expect(vi.getTimerCount()).toBe(0);
});

it('names what the platform lacks if the chunk arrived and does not run here', async () => {
  vi.stubGlobal('TextEncoder', undefined);
  const loading = loadChunk(() => Promise.reject(new ReferenceError('TextEncoder is not defined')));
  const context = { missing: [{ feature: 'TextEncoder' }] };
  await expect(loading).rejects.toMatchObject({ code: 'UNSUPPORTED_PLATFORM', context });
  vi.unstubAllGlobals();
});

it('throws NETWORK_ERROR if the import returns nothing, as that of Vite can', async () => {
  await expect(loadChunk(() => Promise.resolve(undefined))).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
});

it('stops waiting when the signal fires', async () => {
  const controller = new AbortController();
  const loading = loadChunk(() => new Promise(() => undefined), controller.signal);
  controller.abort('enough');
  await expect(loading).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
});

it('does not blame the connection for code that arrived and is wrong', async () => {
  const cause = new ReferenceError('codec is not defined');
  const error = { code: 'UNEXPECTED_ERROR', retryable: false, cause };
  await expect(loadChunk(() => Promise.reject(cause))).rejects.toMatchObject(error);
});

it('stops waiting for the check of the platform too', async () => {
  vi.doMock('../platform/check-platform.ts', () => new Promise(() => undefined));
  const controller = new AbortController();
  const loading = loadChunk(() => Promise.reject(new TypeError('Failed to fetch')), controller.signal);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort('enough');
  await expect(loading).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  vi.doUnmock('../platform/check-platform.ts');
});

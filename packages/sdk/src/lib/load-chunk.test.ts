import { afterEach, expect, it, vi } from 'vitest';
import { loadPart } from './load-chunk.ts';

afterEach(() => void vi.useRealTimers());

it('gives up a part that does not come, after half a minute', async () => {
  vi.useFakeTimers();
  let answer: unknown;
  loadPart(() => new Promise(() => undefined)).catch((error: unknown) => (answer = error));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answer).toMatchObject({ code: 'TIMEOUT', retryable: true });
});

it('gives a code to a part that is not there, and leaves no timer', async () => {
  vi.useFakeTimers();
  const cause = new TypeError('Failed to fetch dynamically imported module');
  await expect(loadPart(() => Promise.reject(cause))).rejects.toMatchObject({ code: 'NETWORK_ERROR', cause });
  expect(await loadPart(() => Promise.resolve('part'))).toBe('part');
  expect(vi.getTimerCount()).toBe(0);
});

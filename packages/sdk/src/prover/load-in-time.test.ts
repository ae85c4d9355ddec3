import { afterEach, expect, it, vi } from 'vitest';
import { PROVER_LOAD_MS } from './bounds.ts';
import { loadInTime } from './load-in-time.ts';

afterEach(() => void vi.useRealTimers());

it('gives up code that does not come, in a stated time', async () => {
  vi.useFakeTimers();
  const loading = expect(loadInTime(() => new Promise(() => {}))).rejects.toThrow(
    expect.objectContaining({ code: 'TIMEOUT', retryable: true }),
  );
  await vi.advanceTimersByTimeAsync(PROVER_LOAD_MS);
  await loading;
});

it('gives a code to code that is not there, and leaves no timer', async () => {
  vi.useFakeTimers();
  const cause = new TypeError('Failed to fetch dynamically imported module');
  await expect(loadInTime(() => Promise.reject(cause))).rejects.toThrow(
    expect.objectContaining({ code: 'NETWORK_ERROR', cause }),
  );
  expect(await loadInTime(() => Promise.resolve('code'))).toBe('code');
  expect(vi.getTimerCount()).toBe(0);
});

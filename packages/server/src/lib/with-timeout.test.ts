import { expect, test } from 'vitest';
import { withTimeout } from './with-timeout.ts';

/** Counts the signals that a signal references because AbortSignal.any derived them from it. */
function countDependents(signal: AbortSignal): number {
  const own = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const found = own && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[own];
  return found?.size ?? 0;
}

test('the signal of the work aborts with the outer signal, and after its time', async () => {
  const over = new AbortController();
  const ended = withTimeout(over.signal, 60_000, untilAborted);
  const late = withTimeout(over.signal, 1, untilAborted);
  expect(await late).toMatchObject({ name: 'TimeoutError' });
  over.abort(new Error('closed'));
  expect(await ended).toMatchObject({ message: 'closed' });
  expect(await withTimeout(over.signal, 60_000, untilAborted)).toMatchObject({ message: 'closed' });
});

test('it leaks nothing on the outer signal, which may live for months', async () => {
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count++) {
    const derive = async (own: AbortSignal) => void AbortSignal.any([own, AbortSignal.timeout(60_000)]);
    await withTimeout(signal, 60_000, derive);
    await withTimeout(signal, 60_000, () => Promise.reject(new Error('no'))).catch(() => undefined);
  }
  expect(countDependents(signal)).toBe(0);
});

function untilAborted(signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve(signal.reason);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
}

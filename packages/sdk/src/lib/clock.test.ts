import { expect, it } from 'vitest';
import { machineClock, withDeadline } from './clock.ts';

it.each([2 ** 31, Infinity])('does not time out at once with a limit of %d ms', async (timeoutMs) => {
  const run = () => new Promise((resolve) => setTimeout(() => resolve('done'), 20));
  await expect(withDeadline({ clock: machineClock, timeoutMs, what: 'it' }, run)).resolves.toBe('done');
});

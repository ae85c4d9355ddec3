import { expect, it } from 'vitest';
import { withDeadline } from './deadline.ts';

it.each([2 ** 31, Infinity])('a limit of %d ms is a long one, and not over at once', async (timeoutMs) => {
  const run = () => new Promise((resolve) => setTimeout(() => resolve('done'), 20));
  await expect(withDeadline({ timeoutMs, what: 'it' }, run)).resolves.toBe('done');
});

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALLOWED_SKIPS, unexpectedSkips } from './allowed-skips.ts';

const only = { file: 'a.test.ts', name: 'in a group', reason: 'A reason.' };
const skipped = [{ file: 'a.test.ts', name: 'in a group > a test' }];

it('a skip that is allowed on this machine passes', () => {
  expect(unexpectedSkips(skipped, [{ ...only, isAllowed: () => true }])).toEqual([]);
});

it.each([
  ['is not in the list', []],
  ['could run on this machine', [{ ...only, isAllowed: () => false }]],
  ['is in another file', [{ ...only, file: 'b.test.ts', isAllowed: () => true }]],
])('a skipped test fails the run when it %s', (_why, allowed) => {
  expect(unexpectedSkips(skipped, allowed)).toEqual(['a.test.ts > in a group > a test']);
});

it.each(ALLOWED_SKIPS.map(({ file }) => file))('%s exists', (file) => {
  expect(existsSync(file)).toBe(true);
});

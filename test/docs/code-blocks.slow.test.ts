import { expect, test } from 'vitest';
import { codeOf, compileErrorsIn, PAGES } from './support/code-blocks.ts';

test('every TypeScript block compiles, with the names that the preamble declares', () => {
  expect(PAGES.flatMap(codeOf).length).toBeGreaterThan(15);
  expect(compileErrorsIn(PAGES)).toEqual([]);
}, 600_000);

test('no block waits for a credential that a person may already have', () => {
  expect(PAGES.flatMap(codeOf).filter((code) => code.includes('waitForCredential()'))).toEqual([]);
});

import { expect, test } from 'vitest';
import { sources } from '../../docs/.vitepress/sources.ts';
import { codeOf, compileErrorsIn } from './support/code-blocks.ts';

/** The files with a page on the site, and the README that GitHub shows first. */
const pages = [...new Set(['README.md', ...sources().keys()])];

test('every TypeScript block compiles, with the names that the preamble declares', () => {
  expect(pages.flatMap(codeOf).length).toBeGreaterThan(15);
  expect(compileErrorsIn(pages)).toEqual([]);
}, 600_000);

test('no block waits for a credential that a person may already have', () => {
  expect(pages.flatMap(codeOf).filter((code) => code.includes('waitForCredential()'))).toEqual([]);
});

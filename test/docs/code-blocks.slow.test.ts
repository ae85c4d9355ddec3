import { expect, test } from 'vitest';
import { blocksOf, codeOf, compileErrorsIn, PAGES } from './support/code-blocks.ts';
import { docstringExamples, methodsWithoutExample } from './support/docstring-examples.ts';

test('every TypeScript block of a page compiles, with the names that the preamble declares', () => {
  const blocks = PAGES.flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(15);
  expect(compileErrorsIn(blocks)).toEqual([]);
}, 600_000);

test('every example in a docstring compiles', () => {
  const examples = docstringExamples();
  expect(examples.length).toBeGreaterThan(25);
  expect(compileErrorsIn(examples)).toEqual([]);
}, 600_000);

test('every method of ServiceClient has an example', () => {
  expect(methodsWithoutExample('packages/sdk/src/client/service-client.ts', 'ServiceClient')).toEqual([]);
});

test('no block waits for a credential that a person may already have', () => {
  expect(PAGES.flatMap(codeOf).filter((code) => code.includes('waitForCredential()'))).toEqual([]);
});

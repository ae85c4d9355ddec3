import { expect, test } from 'vitest';
import { countryCode } from './country-code.ts';

test.each([
  ['DE', 'DE'],
  ['deu', 'DE'],
  ['JPN', 'JP'],
  ['ZZ', undefined],
  ['ZZZ', undefined],
  ['276', undefined],
  ['', undefined],
  [7, undefined],
])('%s is the country %s', (given, code) => {
  expect(countryCode(given)).toBe(code);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withVariables } from '../scripts/variables-page.ts';

test('the variables in the README are current: npm run generate -- verifier-variables', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(page).toBe(withVariables(page));
});

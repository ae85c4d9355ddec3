import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withConfiguration } from '../scripts/configuration-page.ts';

test('the configuration in docs/guides/operator.md is current: npm run generate -- configuration', () => {
  const page = readFileSync(new URL('../../../docs/guides/operator.md', import.meta.url), 'utf8');
  expect(page).toBe(withConfiguration(page));
});

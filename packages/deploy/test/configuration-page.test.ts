import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationPage } from '../scripts/configuration-page.ts';

test('docs/configuration.md is current: npm run docs:configuration', () => {
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
  expect(page).toBe(configurationPage());
});

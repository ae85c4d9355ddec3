import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withCosts } from './costs-table.ts';
import { measureCosts } from './measure-costs.ts';

test('the costs in docs/for-issuers.md are those of the program', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/for-issuers.md'), 'utf8');
  const costs = await measureCosts();
  expect(costs.writes.length).toBeGreaterThan(10);
  expect(page, 'run npm run generate -- costs').toBe(withCosts(page, costs));
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, complaintsOf } from './_code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const pagesOf = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const pages = [
  'README.md',
  'packages/sdk/README.md',
  'packages/testing/README.md',
  ...pagesOf('docs'),
  ...pagesOf('packages/sdk/docs'),
];

test('every block of TypeScript compiles, with the names that its preamble declares', () => {
  expect(pages.flatMap(codeOf).length).toBeGreaterThan(15);
  expect(complaintsOf(pages)).toEqual([]);
}, 120_000);

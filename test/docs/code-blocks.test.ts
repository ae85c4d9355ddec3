import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, compileErrorsIn } from './support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const pagesOf = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const readmes = ['README.md', 'packages/sdk/README.md', 'packages/testing/README.md'];
const pages = [...readmes, ...pagesOf('docs'), ...pagesOf('packages/sdk/docs')];

test('every TypeScript block compiles, with the names that the preamble declares', () => {
  expect(pages.flatMap(codeOf).length).toBeGreaterThan(15);
  expect(compileErrorsIn(pages)).toEqual([]);
}, 120_000);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Each word is split, so that this file does not contain it.
const FORBIDDEN = [
  'vi.m' + 'ock',
  'vi.f' + 'n',
  'vi.spy' + 'On',
  'vi.st' + 'ub',
  "from 'm" + 'sw',
  'si' + 'non',
  '__mo' + 'cks__',
];

test.each(['e2e', 'walk', 'demo'])('test/%s uses no mocks', (folder) => {
  const root = join(import.meta.dirname, '..', folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    const source = readFileSync(join(root, name), 'utf8');
    for (const word of FORBIDDEN) expect(source.includes(word), `${name} contains ${word}`).toBe(false);
  }
});

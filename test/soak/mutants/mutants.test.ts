import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../e2e/support/child-process.ts';
import { MUTANTS, mutantNamed, mutate } from './mutants.ts';

test.each(MUTANTS.map((each) => [each.name, each] as const))(
  '%s changes sources of the server',
  (_name, mutant) => {
    for (const file of new Set(mutant.edits.map((edit) => edit.file))) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(mutate(mutant, file, text)).not.toBe(text);
      expect(() => mutate(mutant, file, text + text)).toThrow('must have this text once');
    }
  },
);

test('names are unique, and an unknown one is rejected', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(() => mutantNamed('none')).toThrow('There is no mutant none.');
});

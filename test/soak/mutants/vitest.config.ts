/** Runs tests of a broken server. `SOAK_MUTANT` names the mutant. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { mutantNamed, mutate } from './mutants.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const mutant = mutantNamed(process.env.SOAK_MUTANT ?? '');

export default defineConfig({
  root,
  // Resolves the packages to their sources, as the tests do.
  resolve: { tsconfigPaths: true },
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load(id) {
        const path = id.split('?')[0]!;
        const file = relative(root, path);
        return mutant.edits.some((edit) => edit.file === file)
          ? mutate(mutant, file, readFileSync(path, 'utf8'))
          : null;
      },
    },
  ],
  test: { include: ['packages/server/src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
});

/** Runs the campaign. It loads the checked files with a switch for each check. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { CHECKED_FILES } from './files.ts';
import { makeSwitchable } from './find-checks.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export default defineConfig({
  root,
  // Resolves the packages to their sources, as the tests do.
  resolve: { tsconfigPaths: true },
  plugins: [
    {
      name: 'switchable-checks',
      enforce: 'pre',
      load(id) {
        const file = id.split('?')[0]!.replace(root, '');
        return CHECKED_FILES.includes(file)
          ? makeSwitchable(file, readFileSync(root + file, 'utf8')).code
          : null;
      },
    },
  ],
  test: {
    include: ['test/adversarial/mutate/campaign.ts'],
    setupFiles: ['test/adversarial/mutate/switch.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
});

/** The tests of this folder. `npm run test:validator` runs them with a validator; without one they are skipped. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Resolves the packages to their sources, as the tests do.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/validator/*.test.ts'],
    // The walk compares the fees that the whole cluster has paid, so nobody else may prove meanwhile.
    maxWorkers: 1,
    // A write takes 13 to 16 seconds on a validator. Only a test that hangs reaches these limits.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    reporters: ['verbose'],
    // A run takes a quarter of an hour, so a failure must say everything.
    chaiConfig: { truncateThreshold: 0 },
    // Prints the progress at once and without a heading for each line.
    disableConsoleIntercept: true,
  },
});

/** The journey through the demo. `npm test` does not run it yet: it was not seen to pass three times on a busy machine. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from '../framework/allowed-skips.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/browser/*.test.ts'],
    testTimeout: 360_000,
    hookTimeout: 360_000,
    reporters: ['verbose', new AllowedSkipsReporter()],
  },
});

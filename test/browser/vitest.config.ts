/** The journey through the demo. It has a step of its own in CI, because a browser, the stack and proofs need both cores. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from '../framework/allowed-skips.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/browser/*.test.ts'],
    experimental: { fsModuleCache: true },
    testTimeout: 360_000,
    hookTimeout: 360_000,
    reporters: ['verbose', new AllowedSkipsReporter()],
  },
});

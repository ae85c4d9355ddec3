/** The journey through the demo. It is not part of `npm test` before it is steady on a busy machine. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/browser/*.test.ts'],
    testTimeout: 360_000,
    hookTimeout: 360_000,
    reporters: ['verbose'],
  },
});

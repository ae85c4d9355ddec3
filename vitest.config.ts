import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

export default defineConfig({
  // Tests run the packages' sources, as tsconfig.base.json names them, and need no build.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Two cores: one worker per core, and real proofs in some of them.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

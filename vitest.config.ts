import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from './test/framework/allowed-skips.ts';
import { SlowestFirst } from './test/framework/slowest-first.ts';

export default defineConfig({
  // Tests run the packages' sources, as tsconfig.base.json names them, and need no build.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Two cores: one worker per core, and real proofs in some of them.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', new AllowedSkipsReporter()],
    // Generous, because a busy machine takes several times as long. Only a test that hangs reaches them.
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
});

import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from './test/framework/allowed-skips.ts';
import { SlowestFirst } from './test/framework/slowest-first.ts';

export default defineConfig({
  // Tests run the packages' sources, as tsconfig.base.json names them, and need no build.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    // npm run test:validator runs the tests of test/validator.
    exclude: ['**/node_modules/**', '**/dist/**', 'test/validator/**'],
    // One worker for each of two cores, because some tests make real proofs.
    maxWorkers: 2,
    // Loading the modules again for each file would take a quarter of the time. So a test restores what it changes.
    isolate: false,
    // A sequencer would override the order of --sequence.shuffle.files.
    sequence: process.argv.some((option) => option.startsWith('--sequence.shuffle'))
      ? {}
      : { sequencer: SlowestFirst },
    reporters: ['default', new AllowedSkipsReporter()],
    // These limits are high, because a busy machine takes several times as long. Only a test that hangs reaches them.
    testTimeout: 180_000,
    hookTimeout: 360_000,
  },
});

import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from './test/framework/allowed-skips.ts';
import { SlowestFirst } from './test/framework/slowest-first.ts';

/** Packages whose tests restore each global that they change, such as the date, and read none that another test leaves. */
const SHARED = '{contract,deploy,localnet,program,protocol,server}';

/** Tests that use the service as its clients do. npm run test:postgres leaves them out: they test no database. */
const CLIENT = 'test/{sdk,adversarial,docs}/**/*.test.ts';

const PACKAGES = `${import.meta.dirname}/packages`;

export default defineConfig({
  // Tests run the packages' sources, as tsconfig.base.json names them, and need no build.
  resolve: {
    tsconfigPaths: true,
    // dApps copy examples/react with its own tsconfig, which has no paths.
    alias: [
      { find: /^@service\/sdk\/(chain|query|react)$/, replacement: `${PACKAGES}/sdk/src/$1/index.ts` },
      { find: /^@service\/(sdk|testing)$/, replacement: `${PACKAGES}/$1/src/index.ts` },
    ],
  },
  test: {
    // One worker for each of two cores, because some tests make real proofs.
    maxWorkers: 2,
    // A sequencer would override the order of --sequence.shuffle.files.
    sequence: process.argv.some((option) => option.startsWith('--sequence.shuffle'))
      ? {}
      : { sequencer: SlowestFirst },
    reporters: ['default', new AllowedSkipsReporter()],
    // These limits are high, because a busy machine takes several times as long. Only a test that hangs reaches them.
    testTimeout: 180_000,
    hookTimeout: 360_000,
    // Loading the modules again for each file takes a sixth of the time of all tests.
    projects: [
      projectOf('shared', { isolate: false, include: [`packages/${SHARED}/{src,test}/**/*.test.ts`] }),
      projectOf('isolated', {
        include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts'],
        exclude: [`packages/${SHARED}/**`, CLIENT],
      }),
      projectOf('client', { include: [CLIENT] }),
    ],
  },
});

function projectOf(name: string, options: { isolate?: boolean; include: string[]; exclude?: string[] }) {
  // npm run test:validator and npm run test:browser run the tests of these two folders.
  const others = ['test/validator/**', 'test/browser/**'];
  const exclude = ['**/node_modules/**', '**/dist/**', ...others, ...(options.exclude ?? [])];
  // npm run docs:codes writes the page that this test reads. The option --exclude has no effect on projects.
  if (process.env.REFUSAL_TABLE === 'write') exclude.push('**/refusal-table.test.ts');
  return { extends: true as const, test: { ...options, name, exclude } };
}

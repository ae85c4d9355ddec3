import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from './test/framework/allowed-skips.ts';

/** Tests that start processes, build something cold or crash something. `npm test` leaves them out. */
const SLOW = ['packages/**/*.slow.test.ts', 'test/**/*.slow.test.ts'];

/** Tests that use the service as its clients do. npm run test:postgres leaves them out: they test no database. */
const CLIENT = ['test/{sdk,docs}/**/*.test.ts'];

/** The same, but they set the date back, which no database of an earlier file in the process may see. */
const ADVERSARIAL = ['test/adversarial/**/*.test.ts'];

/** Tests that change what other files in the same process read, such as the globals of a page. */
const ISOLATED = [
  'packages/sdk/{src,test}/**/*.test.ts',
  'packages/testing/{src,test}/**/*.test.ts',
  'test/{query,example-react}/**/*.test.ts',
];

/** Tests that their own commands run: npm run test:validator, test:browser and peers:test. */
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'test/{validator,browser,peers}/**'];

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
    reporters: ['default', new AllowedSkipsReporter()],
    // These limits are high, because a busy machine takes several times as long. Only a test that hangs reaches them.
    testTimeout: 180_000,
    hookTimeout: 360_000,
    // Vitest starts them in the order of their names. Loading the modules again for each file takes as long as most files.
    projects: [
      projectOf('adversarial', { include: ADVERSARIAL, exclude: SLOW }),
      projectOf('client', { isolate: false, include: CLIENT, exclude: SLOW }),
      projectOf('isolated', { include: ISOLATED, exclude: SLOW }),
      projectOf('together', {
        isolate: false,
        include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts'],
        exclude: [...CLIENT, ...ADVERSARIAL, ...ISOLATED, ...SLOW],
      }),
      projectOf('slow', { include: SLOW }),
    ],
  },
});

function projectOf(
  name: string,
  { exclude = [], ...options }: { isolate?: boolean; include: string[]; exclude?: string[] },
) {
  return { extends: true as const, test: { ...options, name, exclude: [...ELSEWHERE, ...exclude] } };
}

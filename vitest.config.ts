import { defineConfig } from 'vitest/config';
import { AllowedSkipsReporter } from './test/framework/allowed-skips.ts';

/** Tests that start processes, build something cold, crash something or make many proofs. `npm test` leaves them out. */
const SLOW = ['packages/**/*.slow.test.ts', 'test/**/*.slow.test.ts'];

/** Those that test no database. npm run test:postgres leaves them out too. */
const SLOW_CLIENT = [
  'packages/{sdk,testing}/**/*.slow.test.ts',
  'packages/server/src/openapi/*.slow.test.ts',
  'test/{sdk,docs,openapi-clients,platform}/**/*.slow.test.ts',
  'test/e2e/{genesis-hash,remote-cluster}.slow.test.ts',
];

/** Tests of clients and of what they do with a service. npm run test:postgres leaves them out: they test no database. */
const CLIENT = ['packages/{sdk,testing}/{src,test}/**/*.test.ts', 'test/{sdk,cli,docs}/**/*.test.ts'];

/** The same with hostile services. They replace timers and date, which code that another file loaded would keep. */
const ADVERSARIAL = ['test/adversarial/**/*.test.ts'];

/** Tests that replace a module, or need that no other file has set a global. */
const ISOLATED = ['packages/**/*.isolated.test.ts'];

/** Tests with the globals of a page. */
const PAGE = ['test/{query,example-react}/**/*.test.ts'];
const GLOBALS_OF_PAGE = 'test/example-react/support/page.ts';

/** Tests that their own commands run: npm run test:validator, test:browser and campaign -- peers. */
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'test/{validator,browser,peers}/**'];

const PACKAGES = `${import.meta.dirname}/packages`;

export default defineConfig({
  // Tests run the packages' sources, as tsconfig.base.json names them, and need no build.
  resolve: {
    tsconfigPaths: true,
    // dApps copy examples/react with its own tsconfig, which has no paths.
    alias: [
      { find: /^@service\/sdk\/(chain|node|query|react)$/, replacement: `${PACKAGES}/sdk/src/$1/index.ts` },
      { find: '@service/testing/msw', replacement: `${PACKAGES}/testing/src/msw/index.ts` },
      { find: /^@service\/(sdk|testing)$/, replacement: `${PACKAGES}/$1/src/index.ts` },
    ],
  },
  test: {
    // One worker for each of two cores, because some tests make real proofs.
    maxWorkers: 2,
    // The next run takes the compiled modules of unchanged files from node_modules, also one of other projects.
    experimental: { fsModuleCache: true },
    reporters: ['default', new AllowedSkipsReporter()],
    // These limits are high, because a busy machine takes several times as long. Only a test that hangs reaches them.
    testTimeout: 180_000,
    hookTimeout: 360_000,
    // Vitest starts them in the order of their names. Loading the modules again for each file takes as long as most files.
    projects: [
      projectOf('adversarial', { include: ADVERSARIAL, exclude: SLOW }),
      projectOf('client', { isolate: false, include: CLIENT, exclude: [...ISOLATED, ...SLOW] }),
      projectOf('isolated', { include: ISOLATED, exclude: SLOW }),
      projectOf('page', { isolate: false, include: PAGE, exclude: SLOW, setupFiles: [GLOBALS_OF_PAGE] }),
      projectOf('slow', { include: SLOW, exclude: SLOW_CLIENT }),
      projectOf('slow-client', { include: SLOW_CLIENT }),
      projectOf('together', {
        isolate: false,
        include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts'],
        exclude: [...CLIENT, ...ADVERSARIAL, ...ISOLATED, ...PAGE, ...SLOW],
      }),
    ],
  },
});

function projectOf(
  name: string,
  {
    exclude = [],
    ...options
  }: { isolate?: boolean; include: string[]; exclude?: string[]; setupFiles?: string[] },
) {
  return { extends: true as const, test: { ...options, name, exclude: [...ELSEWHERE, ...exclude] } };
}

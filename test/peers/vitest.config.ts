/**
 * `npm run campaign -- peers`: runs the SDK's and the test tools' tests with the lowest version of `@solana/kit` that their
 * package.json accepts. `npm test` runs them with the highest. `npm run package:test` installs the packed packages with
 * other versions of all peers.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A file of the lowest kit, which package.json installs under this name. */
const lowest = (file: string) =>
  fileURLToPath(new URL(`../../node_modules/kit-lowest/dist/${file}`, import.meta.url));

const TESTS = [
  'packages/{sdk,testing,protocol}/src/**/*.test.ts',
  // The whole way of each kind of operation. The other tests of this folder use no other part of kit, and take long.
  'test/sdk/{simulated-wallets,check-transfer,receipts,wallets,snapshot}.test.ts',
  'test/peers/**/*.test.ts',
];

/** Tests that replace a module. */
const ISOLATED = 'packages/{sdk,testing,protocol}/src/**/*.isolated.test.ts';

/** Proofs, builds and pages do not use kit, and take most of the time. */
const ELSEWHERE = [
  '**/node_modules/**',
  'packages/sdk/src/prover/worker/**',
  'packages/protocol/src/eligibility/**',
];

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: {
    tsconfigPaths: true,
    alias: [
      { find: /^@solana\/kit$/, replacement: lowest('index.node.mjs') },
      { find: /^@solana\/kit\/program-client-core$/, replacement: lowest('program-client-core.node.mjs') },
    ],
  },
  test: {
    // The published packages bundle these, so they use the same kit.
    server: { deps: { inline: [/@solana-program/] } },
    env: { KIT: 'lowest' },
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 360_000,
    // Loading the modules again for each file takes as long as the tests.
    projects: [
      {
        extends: true,
        test: { name: 'together', isolate: false, include: TESTS, exclude: [...ELSEWHERE, ISOLATED] },
      },
      { extends: true, test: { name: 'isolated', include: [ISOLATED], exclude: ELSEWHERE } },
    ],
  },
});

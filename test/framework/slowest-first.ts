import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take 10 seconds and more in CI, the longest first. A file that is missing here only starts later. */
const SLOWEST = [
  'test/docs/built-site.test.ts',
  'test/wallets/matrix.test.ts',
  'test/docs/run-blocks.test.ts',
  'test/e2e/examples.test.ts',
  'test/sdk/resume.test.ts',
  'packages/sdk/src/prover/worker/proving-queue.test.ts',
  'test/e2e/serve.test.ts',
  'test/e2e/remote-cluster.test.ts',
  'test/e2e/data-directory.test.ts',
  'test/sdk/gateways.test.ts',
  'test/adversarial/modes.test.ts',
  'test/sdk/funds.test.ts',
  'test/sdk/receipts.test.ts',
  'test/sdk/held-answers.test.ts',
  'test/sdk/check-proof.test.ts',
  'test/e2e/validator-command.test.ts',
  'test/wallets/local-stack.test.ts',
  'test/query/hooks.test.ts',
  'packages/program/test/matrix/matrix.test.ts',
  'packages/testing/src/memory/service-handlers.test.ts',
  'test/sdk/chain-additions.test.ts',
  'packages/circuit/test/constraints.test.ts',
  'test/adversarial/cases.test.ts',
  'test/docs/costs/costs.test.ts',
  'test/query/credential.test.ts',
  'test/e2e/walk.test.ts',
  'packages/sdk/src/prover/worker/process-exit.test.ts',
  'test/sdk/additions.test.ts',
  'packages/circuit/test/ceremony.test.ts',
  'packages/server/src/operations/plan/plan-proof.test.ts',
  'test/sdk/held-transactions.test.ts',
  'test/sdk/close-pass.test.ts',
  'packages/sdk/src/prover/worker/make-proof.test.ts',
  'test/sdk/simulated-wallets.test.ts',
  'packages/program/test/compute.test.ts',
  'test/query/prove-with-progress.test.ts',
];

/** Starts the slowest files first, so that the workers end together; else the largest, as vitest does after each `npm ci`. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? SLOWEST.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that use 8 seconds of CPU and more, the longest first. A file that is missing here only starts later. */
const SLOWEST = [
  'test/e2e/examples.test.ts',
  'test/docs/run-blocks.test.ts',
  'test/adversarial/modes.test.ts',
  'packages/program/test/matrix/matrix.test.ts',
  'test/docs/built-site.test.ts',
  'test/e2e/remote-cluster.test.ts',
  'test/e2e/serve.test.ts',
  'test/e2e/data-directory.test.ts',
  'test/e2e/validator-command.test.ts',
  'test/sdk/check-proof.test.ts',
  'test/sdk/receipts.test.ts',
  'packages/sdk/src/prover/worker/proving-queue.test.ts',
  'packages/circuit/test/constraints.test.ts',
  'test/e2e/walk.test.ts',
  'packages/program/test/properties/sequences.test.ts',
  'packages/circuit/test/ceremony.test.ts',
  'packages/server/src/operations/plan/plan-proof.test.ts',
  'test/sdk/resume.test.ts',
  'test/adversarial/cases.test.ts',
  'test/sdk/check-transfer.test.ts',
  'packages/server/src/openapi/conformance.test.ts',
  'packages/server/src/verification/revoking/revoker.test.ts',
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

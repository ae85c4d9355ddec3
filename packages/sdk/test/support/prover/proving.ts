/** What tests of the worker use, bundled as it is published: with the worker's file beside it. */

export { preloadProver } from '../../../src/eligibility/prover-lifetime.ts';
export { artifactsFrom } from '../../../src/prover/artifact-source/artifacts-from.ts';
export { proveFacts } from '../../../src/prover/prove-facts.ts';
export { disposeProver, proveInTurn, startProver } from '../../../src/prover/worker/proving-queue.ts';
export { artifacts, attributes, facts, input } from './eligible.ts';

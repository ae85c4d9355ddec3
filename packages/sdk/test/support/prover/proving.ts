/** Exports what tests of the worker use. It is bundled as in the package, with the worker's file next to it. */

export { circuitInput } from '@service/protocol/eligibility';
export { preloadProver } from '../../../src/eligibility/prover-lifetime.ts';
export { artifactsFrom } from '../../../src/prover/artifact-source/artifacts-from.ts';
export { proveFacts } from '../../../src/prover/prove-facts.ts';
export { verifyProof } from '../../../src/prover/worker/own/verify-proof.ts';
export { disposeProver, proveInTurn, startProver } from '../../../src/prover/worker/proving-queue.ts';
export { artifacts, attributes, facts, input } from './eligible.ts';

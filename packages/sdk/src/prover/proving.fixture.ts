/** What tests of the worker use, bundled as it is published: with the worker's file beside it. */
export { artifactsFrom } from './artifacts/artifacts-from.ts';
export { artifacts, attributes, facts, input } from './eligible.fixture.ts';
export { preloadProver } from './preload-prover.ts';
export { proveFacts } from './prove-facts.ts';
export { disposeProver, proveInTurn, startProver } from './proving-queue.ts';

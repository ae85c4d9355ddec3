export { isCommitmentOf, unmetClauses, unrelatedWitness } from './check-witness.ts';
export { proveFacts } from './prove-facts.ts';
export { tagOfPlace } from './tag-of-place.ts';
export { disposeProver, startProver } from './worker/proving-queue.ts';

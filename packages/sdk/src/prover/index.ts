export { unmetClauses } from './check-witness.ts';
export { preloadProver } from './preload-prover.ts';
export { proveFacts } from './prove-facts.ts';
export { disposeProver } from './worker/proving-queue.ts';

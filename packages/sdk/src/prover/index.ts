export { disposeProver } from './curve.ts';
export { generateProof, type ProofFacts } from './generate-proof.ts';
export { preloadProver } from './preload-prover.ts';
export type { ProofPhase, ProofProgress } from './progress.ts';
export {
  type EligibilityProof,
  type ProveOptions,
  type ProvingArtifacts,
  proveEligibility,
} from './prove-eligibility.ts';

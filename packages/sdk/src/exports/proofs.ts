export { buildEligibilityContext } from '../eligibility/eligibility-context.ts';
export { generateEligibilityProof } from '../eligibility/generate-eligibility-proof.ts';
export { latestPassExpiry } from '../eligibility/pass-expiry.ts';
export { disposeProver, preloadProver } from '../eligibility/prover-lifetime.ts';

export { createProver, type ProveOptions, type Prover, type Witness } from './prover.ts';
export { ProverError, type ProverErrorCode } from './prover-error.ts';
export { proverModule } from './prover-module.ts';
export { type ProofStatement, verifyProof } from './verifier.ts';

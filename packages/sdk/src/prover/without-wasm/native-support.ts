/** What the SDK computes itself if a native prover makes the proof, without WebAssembly. */
export { calculateWitness, contextHashOf } from '@service/circuit/witness';
export { verifyProof } from './verify-proof.ts';

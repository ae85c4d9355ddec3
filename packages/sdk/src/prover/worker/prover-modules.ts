import type { calculateWitness, contextHashOf } from '@service/circuit/witness';
import type { verifyProof } from './own/verify-proof.ts';
import type { ProverModule } from './serve-proofs.ts';
import type { ProverKind } from './thread-messages.ts';

/** Loads the module of each prover. */
export type ProverModules = { readonly [K in ProverKind]: () => Promise<ProverModule<K>> };

/** The modules of the provers, each in a chunk of its own. */
export const PROVER_MODULES: ProverModules | undefined = {
  own: () => import('./own/make-proof.ts'),
  snarkjs: () => import('./snarkjs/make-proof.ts'),
};

/** What the SDK computes itself if a native prover makes the proof. */
export interface NativeSupport {
  readonly calculateWitness: typeof calculateWitness;
  readonly contextHashOf: typeof contextHashOf;
  readonly verifyProof: typeof verifyProof;
}

/** Loads what a native prover needs. */
export const loadNativeSupport = (): Promise<NativeSupport> => import('./own/make-proof.ts');

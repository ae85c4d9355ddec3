/** The messages between the caller's thread and the prover's. The witness is sent only in these. */
import type { PrivateInput } from '@service/protocol/eligibility';
import type { ProofProgress } from '../progress.ts';
import type { OwnArtifacts } from './own/make-proof.ts';
import type { SnarkjsArtifacts } from './snarkjs/make-proof.ts';

/** The files that the provers need, by prover. */
export interface ArtifactsOf {
  readonly own: OwnArtifacts;
  readonly snarkjs: SnarkjsArtifacts;
}

/** The SDK's own prover, or snarkjs. */
export type ProverKind = keyof ArtifactsOf;

/** A prover, and the files with which it makes a proof. */
export interface ProverWithFiles<K extends ProverKind = ProverKind> {
  readonly kind: K;
  readonly artifacts: ArtifactsOf[K];
}

/** A request for a proof. The next one is sent only after the answer. */
export interface ProofRequest<K extends ProverKind = ProverKind> {
  readonly input: PrivateInput;
  readonly artifacts: ArtifactsOf[K];
}

/** A message from the prover: `ready` once, then progress and one answer for each request. */
export type FromProver =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ProofProgress }
  | { readonly type: 'proof'; readonly proof: Uint8Array }
  | {
      readonly type: 'failure';
      readonly message: string;
      readonly cause: string | undefined;
      /** Whether snarkjs can still make the proof. */
      readonly trySnarkjs: boolean;
      /** Whether the prover itself has a mistake. */
      readonly isMistake: boolean;
      /** Whether the thread has no working source of random numbers. Then no prover may make a proof. */
      readonly isUnsupported: boolean;
    };

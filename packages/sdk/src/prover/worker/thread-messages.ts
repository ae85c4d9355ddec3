/** The messages between the caller's thread and the prover's. The witness is sent only in these. */
import type { CircuitInput } from '@service/protocol/eligibility';
import type { ProofProgress } from '../progress.ts';
import type { ProvingArtifacts } from './make-proof.ts';

/** A request for a proof. The next one is sent only after the answer. */
export interface ProofRequest {
  readonly input: CircuitInput;
  readonly artifacts: ProvingArtifacts;
}

/** A message from the prover: `ready` once, then progress and one answer for each request. */
export type FromProver =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ProofProgress }
  | { readonly type: 'proof'; readonly proof: Uint8Array }
  | { readonly type: 'failure'; readonly message: string; readonly cause: string | undefined };

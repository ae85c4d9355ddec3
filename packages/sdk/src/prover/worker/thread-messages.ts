/** What the caller's thread and the prover's say to each other. The witness goes this way and no other. */
import type { CircuitInput } from '@service/protocol/eligibility';
import type { ProofProgress } from '../progress.ts';
import type { ProvingArtifacts } from './make-proof.ts';

/** A proof that is asked for; the next one only after the answer. */
export interface ProofOrder {
  readonly input: CircuitInput;
  readonly artifacts: ProvingArtifacts;
}

/** What the prover's thread says: once that it is ready, then reports and one answer to each order. */
export type ProverSaid =
  | { readonly said: 'ready' }
  | { readonly said: 'progress'; readonly progress: ProofProgress }
  | { readonly said: 'proof'; readonly proof: Uint8Array }
  | { readonly said: 'failure'; readonly message: string; readonly cause: string | undefined };

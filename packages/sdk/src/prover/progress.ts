/** The phases of a proof, in order. `artifacts` ends at once if they were loaded before. */
export type ProofPhase = 'artifacts' | 'prover' | 'witness' | 'proof' | 'verification';

/** The progress of a proof. */
export interface ProofProgress {
  /** The current phase. */
  readonly phase: ProofPhase;
  /**
   * The finished part of the phase, from 0 to 1. It never decreases, unless snarkjs makes the proof again because the SDK's
   * own prover failed. Then the phases begin again with `prover`. The last report is 1 of `verification`.
   */
  readonly fraction: number;
}

/**
 * The phases of a proof, in order. `artifacts` ends at once if they were loaded before. Not in SPEC.md: how the prover
 * runs.
 *
 * @inline
 */
export type ProofPhase = 'artifacts' | 'prover' | 'witness' | 'proof' | 'verification';

/** The progress of a proof. Not in SPEC.md: how the prover runs. */
export interface ProofProgress {
  /** The current phase. */
  readonly phase: ProofPhase;
  /** The finished part of the phase, from 0 to 1. It never decreases. The last report is 1 of `verification`. */
  readonly fraction: number;
}

/** The message that snarkjs logs at the start of each part of a proof, and the measured share of time before that part. */
const MILESTONES: readonly (readonly [start: string, fraction: number])[] = [
  ['Reading Wtns', 0],
  ['QAP C', 0.15],
  ['Join ABC', 0.2],
  ['Reading B1 Points', 0.3],
  ['Reading B2 Points', 0.42],
  ['Reading C Points', 0.8],
  ['Reading H Points', 0.88],
];

/** Returns how much of the proof is finished when snarkjs logs this message; undefined for other messages. */
export function proofFraction(message: string): number | undefined {
  return MILESTONES.find(([start]) => message.startsWith(start))?.[1];
}

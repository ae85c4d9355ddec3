/**
 * What is being done, in this order; `artifacts` is over at once when they were loaded before. Not in SPEC.md: how the
 * prover runs.
 *
 * @inline
 */
export type ProofPhase = 'artifacts' | 'prover' | 'witness' | 'proof' | 'verification';

/** How far a proof has come. Not in SPEC.md: how the prover runs. */
export interface ProofProgress {
  /** What is being done. */
  readonly phase: ProofPhase;
  /** How much of this phase is done: from 0 up to 1, never falling. The last report is 1 of `verification`. */
  readonly fraction: number;
}

/** What snarkjs says at the start of each part of a proof, and how much time is then behind it (as measured). */
const MILESTONES: readonly (readonly [start: string, fraction: number])[] = [
  ['Reading Wtns', 0],
  ['QAP C', 0.15],
  ['Join ABC', 0.2],
  ['Reading B1 Points', 0.3],
  ['Reading B2 Points', 0.42],
  ['Reading C Points', 0.8],
  ['Reading H Points', 0.88],
];

/** How much of the proof is done when snarkjs logs this; undefined for messages that mark nothing. */
export function proofFraction(message: string): number | undefined {
  return MILESTONES.find(([start]) => message.startsWith(start))?.[1];
}

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

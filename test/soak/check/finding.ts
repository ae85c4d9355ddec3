/** The ways in which a promise can be broken, in the order of the report. */
export const FAULTS = [
  'lost',
  'doubled',
  'stuck',
  'wrong',
  'worse',
  'events lost',
  'events doubled',
  'events out of order',
  'unexpected answers',
  'slow returns',
  'exits',
] as const;
/** A way in which a promise can be broken. */
export type Fault = (typeof FAULTS)[number];

/** A broken promise. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
  /** How often. @default 1 */
  readonly count?: number;
}

/** What a judge says about one acknowledgement. */
export interface Judged {
  readonly isAcknowledged: boolean;
  readonly isFinal: boolean;
  readonly findings: readonly Finding[];
}

/** Counts the findings of a kind. */
export function countOf(findings: readonly Finding[], fault: Fault): number {
  return findings.reduce((sum, each) => sum + (each.fault === fault ? (each.count ?? 1) : 0), 0);
}

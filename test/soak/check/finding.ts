/** The ways in which a promise can be broken. */
export type Fault = 'lost' | 'doubled' | 'stuck' | 'wrong';

/** A broken promise. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}

/** What a judge says about one acknowledgement. */
export interface Judged {
  readonly isAcknowledged: boolean;
  readonly isFinal: boolean;
  readonly findings: readonly Finding[];
}

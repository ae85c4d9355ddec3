/** A step of the index, for its events. */
import type { Address } from '@solana/kit';
import type { Reading } from '../chain-index/reading.ts';

/** A step of the index. Times are chain times in Unix seconds. */
export interface IndexStep {
  readonly program: Address;
  /** The time of the index before the step; null before the first reading. */
  readonly since: bigint | null;
  /** The time of the index after the step. */
  readonly now: bigint;
  readonly reading: Reading;
  /** These columns of the position before the step. */
  readonly ended_until: bigint | null;
  readonly ending_after: Address | null;
}

/** Governance ended the passes that were issued earlier than a time, in Unix seconds. */
export interface ValidFrom {
  /** The time until which those passes have their events. */
  readonly reported: bigint;
  /** The time before the step. */
  readonly before: bigint;
  /** The time after the step. */
  readonly after: bigint;
}

/** A step, and what the events of its accounts depend on. */
export interface StepFacts extends IndexStep {
  readonly validFrom: ValidFrom;
}

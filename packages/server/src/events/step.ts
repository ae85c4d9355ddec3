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
}

/** A step, and what the events of its accounts depend on. */
export interface StepFacts extends IndexStep {
  /** Governance ended the passes that were issued earlier, as of before the step and after it. In Unix seconds. */
  readonly validFrom: { readonly before: bigint; readonly after: bigint };
}

import type { Address } from '@solana/kit';

/** The attempts of a process to end a pass. */
interface Attempts {
  readonly count: number;
  /** Unix milliseconds of the service's clock. */
  readonly dueAt: number;
}

/** The attempts of a process to end passes, by their addresses. */
export type ClosingAttempts = Map<Address, Attempts>;

import type { Address } from '@solana/kit';
import type { LandedTransaction } from './history.ts';

/** Follows the changes of a chain. The chain calls it when a change is visible. An observer must not change the chain. */
export interface ChainObserver {
  /** A transaction landed in the open slot and wrote these accounts. */
  landed(landed: LandedTransaction, written: Iterable<Address>): void;
  /** The next slot is open. */
  opened(): void;
  /** An account was credited at every commitment at once. */
  endowed(address: Address): void;
}

/** What of a chain outlives its process: each change as an entry of the journal, and all of them put together again. */
import type { Address } from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import type { LandedTransaction } from './history.ts';
import type { EarlierSlots } from './slots.ts';

/** What an account holds after a change; null when it was closed. */
export type KeptAccount = readonly [address: Address, state: AccountState | null];

/** One change of a chain. Times are chain time in Unix seconds as of the change. */
export type ChainEntry =
  /** The first entry: which chain this is. */
  | { readonly what: 'genesis'; readonly genesisHash: string; readonly slot: bigint; readonly time: number }
  /** No slot after this one is opened before another such entry is there. */
  | { readonly what: 'slots'; readonly last: bigint; readonly time: number }
  /** Chain time was moved against the wall clock. */
  | { readonly what: 'time'; readonly offsetMs: number; readonly time: number }
  /** An account was credited out of nothing. */
  | { readonly what: 'endowed'; readonly accounts: readonly KeptAccount[] }
  /** A transaction landed in a slot of this time. */
  | {
      readonly what: 'landed';
      readonly landed: LandedTransaction;
      readonly accounts: readonly KeptAccount[];
      readonly time: number;
    };

/** A chain as the runs before left it. */
export interface KeptChain {
  readonly genesisHash: string;
  readonly genesisSlot: bigint;
  readonly slots: EarlierSlots;
  /** The newest state of every account that was ever written. */
  readonly accounts: ReadonlyMap<Address, AccountState | null>;
  /** Oldest first. */
  readonly landed: readonly LandedTransaction[];
}

/** Puts the entries of a journal together; null when there are none. */
export function readChain(entries: readonly ChainEntry[]): KeptChain | null {
  const [first] = entries;
  if (first?.what !== 'genesis') return null;
  const accounts = new Map<Address, AccountState | null>();
  const landed: LandedTransaction[] = [];
  const times = new Map([[first.slot, first.time]]);
  let last = first.slot;
  let time = first.time;
  let offsetMs = 0;
  for (const entry of entries) {
    if ('time' in entry) time = entry.what === 'time' ? entry.time : Math.max(time, entry.time);
    if ('accounts' in entry) for (const [address, state] of entry.accounts) accounts.set(address, state);
    if (entry.what === 'slots') last = entry.last;
    if (entry.what === 'time') offsetMs = entry.offsetMs;
    if (entry.what === 'landed') {
      landed.push(entry.landed);
      times.set(entry.landed.slot, entry.time);
    }
  }
  return {
    genesisHash: first.genesisHash,
    genesisSlot: first.slot,
    slots: { last, times, time, offsetMs },
    accounts,
    landed,
  };
}

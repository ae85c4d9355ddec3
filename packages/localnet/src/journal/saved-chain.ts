/** The entries of a chain's journal, one for each change, and the chain that they describe. */
import type { Address } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import type { LandedTransaction } from '../chain/history.ts';
import type { EarlierSlots } from '../chain/slots.ts';

/** The state of an account after a change; null if it was closed. */
export type SavedAccount = readonly [address: Address, state: AccountState | null];

/** One change of a chain. Times are the chain time of the change, in Unix seconds. */
export type ChainEntry =
  /** The first entry identifies the chain. */
  | { readonly what: 'genesis'; readonly genesisHash: string; readonly slot: bigint; readonly time: number }
  /** No later slot is opened before another entry of this type is written. */
  | { readonly what: 'slots'; readonly last: bigint; readonly time: number }
  /** Chain time was set. */
  | { readonly what: 'time'; readonly offsetMs: number; readonly time: number }
  /** A credit to an account, or a program that was added, without a transaction. */
  | { readonly what: 'endowed'; readonly accounts: readonly SavedAccount[] }
  /** A transaction landed in a slot that began at this time. */
  | {
      readonly what: 'landed';
      readonly landed: LandedTransaction;
      readonly accounts: readonly SavedAccount[];
      readonly time: number;
    };

/** A chain at the end of its earlier runs. */
export interface SavedChain {
  readonly genesisHash: string;
  readonly genesisSlot: bigint;
  readonly slots: EarlierSlots;
  /** The newest state of every account that was ever written. */
  readonly accounts: ReadonlyMap<Address, AccountState | null>;
  /** Oldest first. */
  readonly landed: readonly LandedTransaction[];
}

/** Builds the chain from the entries of a journal. Returns null if there are none. */
export function readChain(entries: readonly ChainEntry[]): SavedChain | null {
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

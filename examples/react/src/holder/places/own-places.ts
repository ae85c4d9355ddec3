import type { FetchedPlace } from '@service/sdk/chain';
import type { Address } from '@solana/kit';

/** Another wallet of the person that can prove the rule set. */
export interface OtherWallet {
  readonly wallet: Address;
  /** Unix seconds from which this wallet can replace it. */
  readonly replaceableAt: bigint;
}

/** How a wallet stands in a rule set that limits the wallets of each person. */
export interface OwnPlaces {
  readonly limit: number;
  /** Which wallet of the person this is, from 1; with the next proof if it has not proved yet. Null if no place is free. */
  readonly number: number | null;
  /** Whether this wallet holds a place. */
  readonly isHeld: boolean;
  /** The other wallets, the oldest first. */
  readonly others: readonly OtherWallet[];
}

/** The places have random numbers, so the page counts the wallets in the order in which they took one. */
export function ownPlaces(places: readonly FetchedPlace[], wallet: Address): OwnPlaces {
  const held = places
    .flatMap(({ wallet: holder, since, replaceableAt }) =>
      holder === null || since === null || replaceableAt === null
        ? []
        : [{ wallet: holder, since, replaceableAt }],
    )
    .sort((one, other) => Number(one.since - other.since));
  const index = held.findIndex((each) => each.wallet === wallet);
  const isHeld = index >= 0;
  const next = held.length < places.length ? held.length + 1 : null;
  return {
    limit: places.length,
    number: isHeld ? index + 1 : next,
    isHeld,
    others: held
      .filter((each) => each.wallet !== wallet)
      .map((each) => ({ wallet: each.wallet, replaceableAt: each.replaceableAt })),
  };
}

/** The remaining life of a pass, by the chain's clock. */
import { type AccountOf, type Found, secondsLeftOf } from '@service/protocol';
import type { Address } from '@solana/kit';

/** A pass and its remaining life (SPEC.md section 2). */
export type PassLife = {
  /** Address of the pass. */
  readonly address: Address;
  /** The wallet that holds it. */
  readonly wallet: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** Seconds until it expires; 0 if it has expired, if governance ended it, or while it is suspended. */
  readonly secondsLeft: bigint;
  /** Unix seconds until which the creator of the rule set suspended it; 0 if it did not. */
  readonly suspendedUntil: bigint;
  /** Whether the creator of the rule set granted it without a proof. */
  readonly granted: boolean;
};

/** Returns the life of a pass at a chain time in Unix seconds, or null if there is no pass. */
export function passLifeOf(
  found: Found<AccountOf<'pass'>> | null,
  at: { readonly config: Found<AccountOf<'config'>> | null; readonly chainTime: bigint },
): PassLife | null {
  if (!found) return null;
  const { wallet, expiresAt, suspendedUntil, granted } = found.data;
  const secondsLeft = secondsLeftOf(found.data, at);
  return Object.freeze({ address: found.address, wallet, expiresAt, secondsLeft, suspendedUntil, granted });
}

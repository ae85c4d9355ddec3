import type { RemovalReason } from '@service/contract/removal-reasons';
import type { Address } from '@solana/kit';
import type { MintOptions } from './bound-mint.ts';

/** Options of `redeem`. */
export interface RedeemOptions extends MintOptions {
  /** Base58 address of the token account that the tokens are taken from. Its owner does not sign. */
  readonly source: Address;
  /** Base units, 1 to 2^64 - 1. */
  readonly amount: bigint;
  /** Why. The chain records it, and everybody can see it. */
  readonly reason: RemovalReason;
}

/** Options of `recover`. */
export interface RecoverOptions extends RedeemOptions {
  /** Base58 address of the token account that receives the tokens, less the transfer fee of the mint if it has one. Its owner needs a live pass. */
  readonly destination: Address;
}

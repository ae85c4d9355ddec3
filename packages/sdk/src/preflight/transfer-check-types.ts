/** The parameters and the result of `checkTransfer`. */
import type { Address } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import type { CallOptions } from '../lib/deadline.ts';
import type { IssueRequest } from '../operations/requests.ts';
import type { PassLife } from '../rpc/pass-life.ts';

/**
 * The request of `checkTransfer`: a transfer, or an issue if `source` is left out (SPEC.md section 1).
 *
 * @inline
 */
export type CheckTransferRequest = IssueRequest & {
  /** Token account that sends. @default none: the issuer creates new tokens */
  readonly source?: Address | undefined;
};

/** A problem of a token account. @inline */
type OfAccount<C extends string, Who extends string> = {
  readonly code: C;
  readonly who: Who;
  /** Base58 address of the token account. */
  readonly address: Address;
};

/** A missing or expired pass. @inline */
type OfPass<C extends string, Who extends string> = {
  readonly code: C;
  readonly who: Who;
  /** Base58 address of the rule set. */
  readonly rule: Address;
  /** Base58 address of the wallet that needs the pass. */
  readonly wallet: Address;
};

/** The expiry of a pass. @inline */
type Expired = {
  /** Unix seconds at which the pass expired. */
  readonly expiresAt: bigint;
};

/** A reason why a transfer or an issue would fail. Amounts in base units, times in Unix seconds (SPEC.md section 1). */
export type TransferCheckReason =
  /** The amount is zero, negative or above 64 bits. */
  | { readonly code: 'AMOUNT_INVALID'; readonly who: 'holder' }
  /** Source and destination are the same token account. */
  | { readonly code: 'SAME_TOKEN_ACCOUNT'; readonly who: 'holder' }
  | { readonly code: 'PROTOCOL_PAUSED'; readonly who: 'operator' }
  | {
      readonly code: 'MINT_NOT_BOUND';
      readonly who: 'issuer';
      /** Base58 address of the mint. */
      readonly mint: Address;
    }
  /** There is no Token-2022 token account at finalized commitment. Its owner creates one with createTokenAccount. */
  | OfAccount<'TOKEN_ACCOUNT_NOT_FOUND', 'holder' | 'recipient'>
  | (OfAccount<'TOKEN_ACCOUNT_OF_OTHER_MINT', 'holder' | 'recipient'> & {
      /** Base58 address of its mint. */
      readonly mint: Address;
    })
  /** The destination does not have ImmutableOwner. Its owner creates another one with createTokenAccount. */
  | OfAccount<'TOKEN_ACCOUNT_OWNER_MUTABLE', 'recipient'>
  /** The issuer, which is the freeze authority, froze the account. */
  | OfAccount<'TOKEN_ACCOUNT_FROZEN', 'issuer'>
  /** Another wallet owns the source, and did not delegate it to this one. */
  | {
      readonly code: 'NOT_SOURCE_OWNER';
      readonly who: 'holder';
      /** Base58 address of the wallet that owns it. */
      readonly owner: Address;
    }
  /** Only the issuer of the mint binding can issue. */
  | {
      readonly code: 'NOT_ISSUER';
      readonly who: 'issuer';
      /** Base58 address of the issuer. */
      readonly issuer: Address;
    }
  /** The amount delegated to this wallet is too low. This also limits an owner who delegated to itself. */
  | {
      readonly code: 'DELEGATED_AMOUNT_TOO_LOW';
      readonly who: 'holder';
      /** Base units that the delegate can still send. */
      readonly delegatedAmount: bigint;
    }
  | {
      readonly code: 'BALANCE_TOO_LOW';
      readonly who: 'holder';
      /** Base units that the source holds. */
      readonly balance: bigint;
    }
  /** The wallet that would sign cannot pay the fee. Send SOL to it. */
  | ({ readonly code: 'INSUFFICIENT_FUNDS'; readonly who: 'holder' | 'issuer' } & FundsShortfall)
  | OfPass<'DESTINATION_PASS_MISSING', 'recipient'>
  | (OfPass<'DESTINATION_PASS_EXPIRED', 'recipient'> & Expired)
  | OfPass<'SOURCE_PASS_MISSING', 'holder'>
  | (OfPass<'SOURCE_PASS_EXPIRED', 'holder'> & Expired);

/**
 * The facts that were read; null for each account that does not exist (SPEC.md section 1).
 *
 * @inline
 */
export type TransferCheckFacts = {
  /** Unix seconds. */
  readonly chainTime: bigint;
  /** The rule set that the mint is bound to. */
  readonly rule: Address | null;
  /** Whether the sender needs a pass too. */
  readonly requireSource: boolean;
  /** The pass of the destination's owner. */
  readonly destinationPass: PassLife | null;
  /** The pass of the source's owner. It is read even if the binding does not require it. */
  readonly sourcePass: PassLife | null;
};

/** The result of `checkTransfer`: `ok` says whether the transfer would succeed now, from finalized data (SPEC.md section 1). */
export type TransferCheck =
  | (TransferCheckFacts & {
      readonly ok: true;
      /** Base58 address of the rule set that the mint is bound to. */
      readonly rule: Address;
      /** The pass of the destination's owner. */
      readonly destinationPass: PassLife;
    })
  | (TransferCheckFacts & {
      readonly ok: false;
      /** At least one. */
      readonly reasons: readonly TransferCheckReason[];
    });

/**
 * Options of `checkTransfer` (SPEC.md section 1).
 *
 * @inline
 */
export interface CheckTransferOptions extends CallOptions {
  /** The wallet that would sign. @default the wallet of the session; without one any owner of the source, any issuer */
  readonly wallet?: Address | undefined;
}

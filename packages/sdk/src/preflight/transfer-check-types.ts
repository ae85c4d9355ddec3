/** The parameters and the result of `checkTransfer`. */
import type { IssueRequest } from '@service/contract';
import type { Address } from '@solana/kit';
import type { FundsShortfall } from '../error-contexts.ts';
import type { CallOptions } from '../lib/clock.ts';
import type { PassLife } from '../rpc/pass-life.ts';
import type { CheckReason } from './check-reason.ts';

/** The request of `checkTransfer`: a transfer, or an issue if `source` is left out (SPEC.md section 1). */
export type CheckTransferRequest = IssueRequest & {
  /** Token account that sends. @default none: the issuer creates new tokens */
  readonly source?: Address | undefined;
};

/** A problem of a token account. */
export type TokenAccountReason<Code extends string, Who extends string> = CheckReason<Code, Who> & {
  /** Base58 address of the token account. */
  readonly address: Address;
};

/** A missing or expired pass. */
export type PassReason<Code extends string, Who extends string> = CheckReason<Code, Who> & {
  /** Base58 address of the rule set. */
  readonly rule: Address;
  /** Base58 address of the wallet that needs the pass. */
  readonly wallet: Address;
};

/** The expiry of a pass. */
export type PassExpired = {
  /** Unix seconds at which the pass expired. */
  readonly expiresAt: bigint;
};

/** The suspension of a pass. */
export type PassSuspended = {
  /** Unix seconds at which it lapses. 18446744073709551615: the creator must lift it. */
  readonly suspendedUntil: bigint;
};

/** A reason why a transfer or an issue would fail. Amounts in base units, times in Unix seconds (SPEC.md section 1). */
export type TransferCheckReason =
  /** The amount is zero, negative or above 64 bits. Choose another one. */
  | CheckReason<'AMOUNT_INVALID', 'holder'>
  /** Source and destination are the same token account. Choose another destination. */
  | CheckReason<'SAME_TOKEN_ACCOUNT', 'holder'>
  /** The protocol is paused. Wait until governance ends the pause. */
  | CheckReason<'PROTOCOL_PAUSED', 'operator'>
  /** The issuer paused the mint: nobody can issue or transfer its tokens. Wait until the issuer resumes it. */
  | CheckReason<'MINT_PAUSED', 'issuer'>
  /** The mint is not bound to a rule set. The issuer calls client.bindMint. For a mint with a gate, use a plain transfer. */
  | (CheckReason<'MINT_NOT_BOUND', 'issuer'> & {
      /** Base58 address of the mint. */
      readonly mint: Address;
    })
  /** There is no Token-2022 token account at finalized commitment. Its owner creates one with createTokenAccount. */
  | TokenAccountReason<'TOKEN_ACCOUNT_NOT_FOUND', 'holder' | 'recipient'>
  /** The token account belongs to another mint. Use the one that tokenAccountOf returns. */
  | (TokenAccountReason<'TOKEN_ACCOUNT_OF_OTHER_MINT', 'holder' | 'recipient'> & {
      /** Base58 address of its mint. */
      readonly mint: Address;
    })
  /** The destination does not have ImmutableOwner. Its owner creates another one with createTokenAccount. */
  | TokenAccountReason<'TOKEN_ACCOUNT_OWNER_MUTABLE', 'recipient'>
  /** The issuer, which is the freeze authority, froze the account. Ask the issuer to thaw it. */
  | TokenAccountReason<'TOKEN_ACCOUNT_FROZEN', 'issuer'>
  /** Another wallet owns the source, and did not delegate it to this one. Switch to that wallet. */
  | (CheckReason<'NOT_SOURCE_OWNER', 'holder'> & {
      /** Base58 address of the wallet that owns it. */
      readonly owner: Address;
    })
  /** Only the issuer of the mint binding can issue. Switch to that wallet. */
  | (CheckReason<'NOT_ISSUER', 'issuer'> & {
      /** Base58 address of the issuer. */
      readonly issuer: Address;
    })
  /** The amount delegated to this wallet is too low. This also limits an owner who delegated to itself. */
  | (CheckReason<'DELEGATED_AMOUNT_TOO_LOW', 'holder'> & {
      /** Base units that the delegate can still send. */
      readonly delegatedAmount: bigint;
    })
  /** The source holds less than the amount. Send less. */
  | (CheckReason<'BALANCE_TOO_LOW', 'holder'> & {
      /** Base units that the source holds. */
      readonly balance: bigint;
    })
  /** The wallet that would sign cannot pay the fee. Send SOL to it. */
  | (CheckReason<'INSUFFICIENT_FUNDS', 'holder' | 'issuer'> & FundsShortfall)
  /** The owner of the destination has no pass of the rule set. That person proves it. */
  | PassReason<'DESTINATION_PASS_MISSING', 'recipient'>
  /** The pass of the destination's owner has expired or was ended. That person renews it. */
  | (PassReason<'DESTINATION_PASS_EXPIRED', 'recipient'> & PassExpired)
  /** The mint requires a pass of the sender too, and the owner of the source has none. Prove the rule set. */
  | PassReason<'SOURCE_PASS_MISSING', 'holder'>
  /** The mint requires a pass of the sender too, and that of the source's owner has expired or was ended. Renew it. */
  | (PassReason<'SOURCE_PASS_EXPIRED', 'holder'> & PassExpired)
  /** The creator of the rule set suspended the pass of the destination's owner. Ask the creator. */
  | (PassReason<'DESTINATION_PASS_SUSPENDED', 'issuer'> & PassSuspended)
  /** The mint requires a pass of the sender too, and the creator of the rule set suspended it. Ask the creator. */
  | (PassReason<'SOURCE_PASS_SUSPENDED', 'issuer'> & PassSuspended)
  /** The pass of the destination's owner was granted, and the mint does not honour that. That person proves the rule set. */
  | PassReason<'DESTINATION_PASS_GRANTED', 'recipient'>
  /** The mint requires a pass of the sender too, and honours no granted one. Prove the rule set. */
  | PassReason<'SOURCE_PASS_GRANTED', 'holder'>
  /** The mint reads credentials, and that of the destination's owner was revoked or replaced after the proof. That person must prove again, with a valid credential. */
  | PassReason<'DESTINATION_PASS_UNSUPPORTED', 'recipient'>
  /** The mint reads credentials and requires the sender's pass. The sender's credential was revoked or replaced after the proof. Prove again, with a valid credential. */
  | PassReason<'SOURCE_PASS_UNSUPPORTED', 'holder'>;

/** The facts that were read; null for each account that does not exist (SPEC.md section 1). */
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

/** Options of `checkTransfer` (SPEC.md section 1). */
export interface CheckTransferOptions extends CallOptions {
  /** The wallet that would sign. @default the wallet of the session; without one any owner of the source, any issuer */
  readonly wallet?: Address | undefined;
}

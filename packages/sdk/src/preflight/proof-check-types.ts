/** The parameters and the result of `checkProof`. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import type { FundsShortfall, UnmetClause } from '../error-contexts.ts';
import type { CallOptions } from '../lib/clock.ts';
import type { PassLife } from '../rpc/pass-life.ts';
import type { CheckReason } from './check-reason.ts';

/** The request of `checkProof` (SPEC.md sections 1 and 7). */
export interface CheckProofRequest {
  /** The rule set that would be proved. */
  readonly rule: Address;
  /** Checked on this machine only. Without it eligibility is not checked. */
  readonly witness?: Witness | undefined;
  /** Unix seconds at which the pass would expire. @default the latest possible time */
  readonly expiresAt?: bigint | undefined;
  /** Another wallet of the person that the proof would replace. Checked only with `witness`. @default none */
  readonly replaces?: Address | undefined;
}

/**
 * A reason why a proof would not open a pass. Lamports, Unix seconds (SPEC.md sections 1 and 7).
 *
 * `who` can act on it: the `issuer` bound the mint, the `operator` governs, the `verifier` issued the credential.
 */
export type ProofCheckReason =
  /** The protocol is paused. Wait until governance ends the pause. */
  | CheckReason<'PROTOCOL_PAUSED', 'operator'>
  /** The rule set does not exist on this cluster. Check its address. */
  | CheckReason<'NOT_FOUND', 'issuer'>
  /** The wallet has no credential, or its verifier revoked it. Call client.startVerification. */
  | (CheckReason<'CREDENTIAL_REQUIRED', 'holder' | 'verifier'> & {
      /** Whether the wallet had a credential that its verifier revoked. */
      readonly revoked: boolean;
    })
  /** The credential has expired. Call client.startVerification. */
  | (CheckReason<'CREDENTIAL_EXPIRED', 'holder'> & {
      /** Unix seconds at which the credential expired. */
      readonly expiresAt: bigint;
    })
  /** The verifier of the credential is not active. Verify with another one. */
  | (CheckReason<'VERIFIER_INACTIVE', 'operator'> & {
      /** Base58 address of the Verifier account. */
      readonly verifier: Address;
    })
  /** The rule set accepts only credentials of another verifier. Verify there. */
  | (CheckReason<'VERIFIER_NOT_ACCEPTED', 'holder'> & {
      /** Base58 address of the Verifier account that it accepts. */
      readonly verifier: Address;
    })
  /** The program rejects proofs of the pinned circuit. Get the operator's current deployment.json. */
  | (CheckReason<'CIRCUIT_RETIRED', 'operator'> & {
      /** Unix seconds since when; null if the circuit is unsound. */
      readonly retiredAt: bigint | null;
    })
  /** No circuit on chain has the artifacts and the key that the deployment pins. Get the operator's current deployment.json. */
  | CheckReason<'CIRCUIT_MISMATCH', 'operator'>
  /** Governance has not set the pass fee yet. Ask the operator. */
  | CheckReason<'PASS_FEE_UNSET', 'operator'>
  /** The pass fee is above the limit of the rule set. Its creator agrees to the fee with setMaxPassFee. */
  | (CheckReason<'PASS_FEE_ABOVE_LIMIT', 'issuer'> & {
      /** Lamports: the highest pass fee that the rule set pays. */
      readonly maxPassFee: bigint;
    })
  /** The pass funds of the rule set do not cover the fee. Any wallet can add to them with fundRuleSet. */
  | (CheckReason<'PASS_FEE_UNFUNDED', 'issuer'> & {
      /** Lamports. */
      readonly missingLamports: bigint;
    })
  /** The creator of the rule set suspended the pass of the wallet. Ask the creator. */
  | (CheckReason<'PASS_SUSPENDED', 'issuer'> & {
      /** Unix seconds at which the suspension lapses. 18446744073709551615: the creator must lift it. */
      readonly suspendedUntil: bigint;
    })
  /** The pass of the wallet cannot be renewed yet. Wait until `renewableAt`. */
  | (CheckReason<'PASS_RENEWAL_TOO_EARLY', 'holder'> & {
      /** Unix seconds from which the pass can be renewed. */
      readonly renewableAt: bigint;
      /** Seconds until then. */
      readonly secondsLeft: bigint;
    })
  /** The pass cannot have the requested expiry. Choose an earlier one, or leave it out. */
  | (CheckReason<'PASS_EXPIRY_INVALID', 'holder'> & {
      /** Unix seconds: the latest expiry that the pass can have. */
      readonly latest: bigint;
    })
  /** The witness is malformed, or belongs to another wallet or credential. Verify again. */
  | CheckReason<'WITNESS_INVALID', 'holder'>
  /** Other wallets of the person hold all places. Replace one. */
  | CheckReason<'NO_PLACE_FREE', 'holder'>
  /** The rule set has no limit of wallets. Leave out `replaces`. */
  | CheckReason<'PLACE_NOT_IN_RULE_SET', 'holder'>
  /** The wallet to replace holds no place. Replace another one. */
  | CheckReason<'PLACE_NOT_HELD', 'holder'>
  /** The wallet to replace has held its place for less than an hour. Repeat the check later. */
  | CheckReason<'PLACE_TAKEN_TOO_SOON', 'holder'>
  /** The wallet to replace is suspended. Ask the creator. */
  | CheckReason<'PLACE_HELD_BY_SUSPENDED', 'issuer'>
  /** The wallet cannot pay fees and rent. Send SOL to it. */
  | (CheckReason<'INSUFFICIENT_FUNDS', 'holder'> & FundsShortfall)
  /** The witness meets no clause. Show the details to the person only. */
  | (CheckReason<'NOT_ELIGIBLE', 'holder'> & {
      /** One for each clause of the rule set. */
      readonly clauses: readonly UnmetClause[];
    });

/** The facts that were read (SPEC.md sections 1 and 7). */
export type ProofCheckFacts = {
  /** Unix seconds. */
  readonly chainTime: bigint;
  /** Unix seconds; null without a credential or a rule set, or if every pass would already be expired. */
  readonly latestExpiresAt: bigint | null;
  /** The wallet's current pass; null if it has none. */
  readonly pass: PassLife | null;
  /** Lamports that the rule set pays; null until governance sets the fee. */
  readonly passFee: bigint | null;
};

/** The result of `checkProof`: `ok` says whether a proof would open a pass now, from finalized data (SPEC.md sections 1 and 7). */
export type ProofCheck =
  | (ProofCheckFacts & {
      readonly ok: true;
      /** The latest expiry that the pass can have, in Unix seconds. */
      readonly latestExpiresAt: bigint;
    })
  | (ProofCheckFacts & {
      readonly ok: false;
      /** At least one. */
      readonly reasons: readonly ProofCheckReason[];
    });

/** Options of `checkProof` (SPEC.md sections 1 and 7). */
export interface CheckProofOptions extends CallOptions {
  /** The wallet that would prove. @default the wallet of the session */
  readonly wallet?: Address | undefined;
}

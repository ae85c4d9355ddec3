/** The parameters and the result of `checkProof`. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import type { FundsShortfall, UnmetClause } from '../error-contexts.ts';
import type { CallOptions } from '../lib/deadline.ts';
import type { PassLife } from '../rpc/pass-life.ts';

/**
 * The request of `checkProof` (SPEC.md sections 1 and 7).
 *
 * @inline
 */
export interface CheckProofRequest {
  /** The rule set that would be proved. */
  readonly rule: Address;
  /** Checked on this machine only. Without it eligibility is not checked. */
  readonly witness?: Witness | undefined;
  /** Unix seconds at which the pass would expire. @default the latest possible time */
  readonly expiresAt?: bigint | undefined;
}

/** A reason why a proof would not open a pass. Lamports, Unix seconds (SPEC.md sections 1 and 7). */
export type ProofCheckReason = {
  /** Who can fix it: the `issuer` bound the mint, the `operator` governs, the `verifier` issued the credential. */
  readonly who: 'holder' | 'issuer' | 'operator' | 'verifier';
} & (
  | { readonly code: 'PROTOCOL_PAUSED' }
  /** The rule set does not exist. */
  | { readonly code: 'NOT_FOUND' }
  /** Call client.startVerification. */
  | {
      readonly code: 'CREDENTIAL_REQUIRED';
      /** Whether the wallet had a credential that its verifier revoked. */
      readonly revoked: boolean;
    }
  | {
      readonly code: 'CREDENTIAL_EXPIRED';
      /** Unix seconds at which the credential expired. */
      readonly expiresAt: bigint;
    }
  /** The verifier of the credential is not active. Verify with another one. */
  | {
      readonly code: 'VERIFIER_INACTIVE';
      /** Base58 address of the Verifier account. */
      readonly verifier: Address;
    }
  /** The program refuses proofs of the pinned circuit since `retiredAt`, which is null if the circuit is unsound. */
  | {
      readonly code: 'CIRCUIT_RETIRED';
      /** Unix seconds. */
      readonly retiredAt: bigint | null;
    }
  /** No circuit on chain has the artifacts that the deployment pins. Get the operator's current deployment.json. */
  | { readonly code: 'CIRCUIT_MISMATCH' }
  | { readonly code: 'PASS_FEE_UNSET' }
  /** The pass funds of the rule set do not cover the fee. Any wallet can add to them with fundRuleSet. */
  | {
      readonly code: 'PASS_FEE_UNFUNDED';
      /** Lamports. */
      readonly missingLamports: bigint;
    }
  | {
      readonly code: 'PASS_RENEWAL_TOO_EARLY';
      /** Unix seconds from which the pass can be renewed. */
      readonly renewableAt: bigint;
      /** Seconds until then. */
      readonly secondsLeft: bigint;
    }
  | {
      readonly code: 'PASS_EXPIRY_INVALID';
      /** Unix seconds: the latest expiry that the pass can have. */
      readonly latest: bigint;
    }
  /** The witness is malformed, or belongs to another wallet or credential. */
  | { readonly code: 'WITNESS_INVALID' }
  /** The wallet cannot pay fees and rent. Send SOL to it. */
  | ({ readonly code: 'INSUFFICIENT_FUNDS' } & FundsShortfall)
  /** The witness meets no clause. Show the details to the person only. */
  | {
      readonly code: 'NOT_ELIGIBLE';
      /** One for each clause of the rule set. */
      readonly clauses: readonly UnmetClause[];
    }
);

/**
 * The facts that were read (SPEC.md sections 1 and 7).
 *
 * @inline
 */
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

/**
 * Options of `checkProof` (SPEC.md sections 1 and 7).
 *
 * @inline
 */
export interface CheckProofOptions extends CallOptions {
  /** The wallet that would prove. @default the wallet of the session */
  readonly wallet?: Address | undefined;
}

/** The intents of callers, one for each kind of operation. An intent contains only the caller's own request. */
import type { Address } from '@solana/kit';
import type { ClauseMasks } from '../eligibility/clause.ts';

/** The intent to create a rule set. */
export interface CreateRuleSetIntent {
  readonly kind: 'CREATE_RULE_SET';
  readonly wallet: Address;
  readonly name: string;
  readonly nonce: bigint;
  readonly clauses: readonly ClauseMasks[];
  /** Seconds. */
  readonly maxPassAgeSeconds: bigint;
}

/** The intent to bind a mint to a rule set. */
export interface BindMintIntent {
  readonly kind: 'BIND_MINT';
  readonly wallet: Address;
  readonly mint: Address;
  readonly rule: Address;
  readonly requireSource: boolean;
}

/** The intent to prove a rule set. */
export interface ProveIntent {
  readonly kind: 'PROVE';
  readonly wallet: Address;
  readonly rule: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** Date code of the day on which the proof counts age. */
  readonly asOf: number;
  /** 256 bytes. */
  readonly proof: Uint8Array;
}

/** The intent to issue tokens. */
export interface IssueIntent {
  readonly kind: 'ISSUE';
  readonly wallet: Address;
  readonly mint: Address;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** The intent to transfer tokens. */
export interface TransferIntent {
  readonly kind: 'TRANSFER';
  readonly wallet: Address;
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** The intent of a caller. */
export type Intent = CreateRuleSetIntent | BindMintIntent | ProveIntent | IssueIntent | TransferIntent;

/** An intent as a service gets it: without the day on which a proof counts age, because only the proof is posted. */
export type PostedIntent = Exclude<Intent, ProveIntent> | PostedProveIntent;

/** The intent to prove as a service gets it. */
export type PostedProveIntent = Omit<ProveIntent, 'asOf'>;

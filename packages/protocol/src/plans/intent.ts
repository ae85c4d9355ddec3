/** What a caller requests: one intent for each kind of operation. It contains nothing but the caller's own request. */
import type { Address } from '@solana/kit';
import type { ClauseMasks } from '../eligibility/clause.ts';

/** Create a rule set. */
export interface CreateRuleSetIntent {
  readonly kind: 'CREATE_RULE_SET';
  readonly wallet: Address;
  readonly name: string;
  readonly nonce: bigint;
  readonly clauses: readonly ClauseMasks[];
  /** Seconds. */
  readonly maxPassAgeSeconds: bigint;
}

/** Bind a mint to a rule set. */
export interface BindMintIntent {
  readonly kind: 'BIND_MINT';
  readonly wallet: Address;
  readonly mint: Address;
  readonly rule: Address;
  readonly requireSource: boolean;
}

/** Prove a rule set. */
export interface ProveIntent {
  readonly kind: 'PROVE';
  readonly wallet: Address;
  readonly rule: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** 256 bytes. */
  readonly proof: Uint8Array;
}

/** Issue tokens. */
export interface IssueIntent {
  readonly kind: 'ISSUE';
  readonly wallet: Address;
  readonly mint: Address;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Transfer tokens. */
export interface TransferIntent {
  readonly kind: 'TRANSFER';
  readonly wallet: Address;
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** What a caller requests. */
export type Intent = CreateRuleSetIntent | BindMintIntent | ProveIntent | IssueIntent | TransferIntent;

/**
 * The intents of callers, one for each kind of operation. An intent contains only the caller's own request, and the wallet
 * that signs.
 */
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  OperationKind,
  PreparingRequests,
  ProveRequest,
  RecoverRequest,
  RedeemRequest,
  SuspendRequest,
  TransferRequest,
} from '@service/contract';
import { clauseMasks } from '@service/contract/clause-masks';
import { type Address, getBase64Encoder } from '@solana/kit';
import type { ClauseMasks } from '../eligibility/clause.ts';
import { type Place, splitProof } from '../eligibility/proof/proof-with-place.ts';

/** The intent to create a rule set. */
export interface CreateRuleSetIntent extends Omit<CreateRuleSetRequest, 'clauses'> {
  readonly kind: 'CREATE_RULE_SET';
  readonly wallet: Address;
  readonly clauses: readonly ClauseMasks[];
}

/** The intent to bind a mint to a rule set. */
export interface BindMintIntent extends BindMintRequest {
  readonly kind: 'BIND_MINT';
  readonly wallet: Address;
}

/** The intent to prove a rule set. */
export interface ProveIntent extends Omit<ProveRequest, 'proof'> {
  readonly kind: 'PROVE';
  readonly wallet: Address;
  /** Date code of the day on which the proof counts age. */
  readonly asOf: number;
  /** 256 bytes. */
  readonly proof: Uint8Array;
  /** The place that the proof takes, if the rule set limits the wallets of each person. */
  readonly place?: Place | undefined;
}

/** The intent to issue tokens. */
export interface IssueIntent extends IssueRequest {
  readonly kind: 'ISSUE';
  readonly wallet: Address;
}

/** The intent to transfer tokens. */
export interface TransferIntent extends TransferRequest {
  readonly kind: 'TRANSFER';
  readonly wallet: Address;
}

/** The intent to take tokens, and to give them to another token account. */
export interface RecoverIntent extends RecoverRequest {
  readonly kind: 'RECOVER';
  readonly wallet: Address;
}

/** The intent to take tokens, and to burn them. */
export interface RedeemIntent extends RedeemRequest {
  readonly kind: 'REDEEM';
  readonly wallet: Address;
}

/** The intent to suspend a wallet, or to lift its suspension. */
export interface SuspendIntent extends SuspendRequest {
  readonly kind: 'SUSPEND';
  readonly wallet: Address;
}

/** The intent to grant a pass, or to end a grant. */
export interface GrantIntent extends GrantRequest {
  readonly kind: 'GRANT';
  readonly wallet: Address;
}

/** The intent of a caller. */
export type Intent =
  | CreateRuleSetIntent
  | BindMintIntent
  | ProveIntent
  | IssueIntent
  | TransferIntent
  | RecoverIntent
  | RedeemIntent
  | SuspendIntent
  | GrantIntent;

/** An intent as a service gets it: without the day on which a proof counts age, because only the proof is posted. */
export type PostedIntent = Exclude<Intent, ProveIntent> | PostedProveIntent;

/** The intent to prove as a service gets it. */
export type PostedProveIntent = Omit<ProveIntent, 'asOf'>;

const posted: {
  readonly [K in OperationKind]: (wallet: Address, request: PreparingRequests[K]) => PostedIntent;
} = {
  CREATE_RULE_SET: (wallet, { clauses, ...request }) => ({
    ...request,
    kind: 'CREATE_RULE_SET',
    wallet,
    clauses: clauses.map(clauseMasks),
  }),
  BIND_MINT: (wallet, request) => ({ ...request, kind: 'BIND_MINT', wallet }),
  PROVE: (wallet, { proof, ...request }) => ({
    ...request,
    kind: 'PROVE',
    wallet,
    ...splitProof(new Uint8Array(getBase64Encoder().encode(proof))),
  }),
  ISSUE: (wallet, request) => ({ ...request, kind: 'ISSUE', wallet }),
  TRANSFER: (wallet, request) => ({ ...request, kind: 'TRANSFER', wallet }),
  RECOVER: (wallet, request) => ({ ...request, kind: 'RECOVER', wallet }),
  REDEEM: (wallet, request) => ({ ...request, kind: 'REDEEM', wallet }),
  SUSPEND: (wallet, request) => ({ ...request, kind: 'SUSPEND', wallet }),
  GRANT: (wallet, request) => ({ ...request, kind: 'GRANT', wallet }),
};

/** Returns the intent of a decoded request that a wallet posted. */
export function postedIntent<K extends OperationKind>(
  kind: K,
  wallet: Address,
  request: PreparingRequests[K],
): PostedIntent {
  return posted[kind](wallet, request);
}

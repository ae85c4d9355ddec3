/** What the service says and what the chain has, side by side, as plain data that the judge compares. */
import type { OperationFailure } from '@service/contract';

/** A transaction that the chain finalized. */
export interface Landed {
  readonly signature: string;
  readonly slot: bigint;
  /** The error of the transaction as JSON; null if it succeeded. */
  readonly err: unknown;
}

/** An operation whose signature was sent to the service. */
export interface OperationHistory {
  readonly id: string;
  readonly isAcknowledged: boolean;
  /** What the service says at the end; null if it does not know the operation. */
  readonly record: {
    readonly state: string;
    readonly signature?: string | undefined;
    readonly slot?: string | null | undefined;
    readonly failure?: OperationFailure | undefined;
  } | null;
  /** The finalized transactions with the operation's memo. */
  readonly landed: readonly Landed[];
  /** Milliseconds in which it could land and nothing hindered the service; 0 if the cluster dropped it for good. */
  readonly clearMs: number;
  /** The tokens that it moves when it succeeds. */
  readonly move: { readonly from: string | null; readonly to: string; readonly amount: bigint } | null;
}

/** A credential or revocation that the verifier delivered. Each wallet has at most one of each. */
export interface CredentialHistory {
  readonly wallet: string;
  readonly credential: {
    readonly isAcknowledged: boolean;
    readonly issuedAt: bigint;
    readonly commitment: string;
  };
  readonly revocation: { readonly isAcknowledged: boolean; readonly revokedAt: bigint } | null;
  /** The session in the database; null if it is missing. */
  readonly session: { readonly state: string; readonly failure: string | null } | null;
  /** The state of the revocation in the database; null if there is none. */
  readonly revocationState: string | null;
  /** The wallet's credential on chain. */
  readonly onChain: {
    readonly commitment: string;
    readonly issuedAt: bigint;
    readonly revoked: boolean;
  } | null;
  /** The finalized transactions of the credential's account that succeeded. */
  readonly successes: number;
}

/** An event of an operation that the receiver got. Each id is listed once, in the order of arrival. */
export interface OperationEvent {
  readonly type: string;
  readonly wallet: string;
  readonly operationId: string;
}

/** Everything at the end of a campaign. */
export interface History {
  /** In the order in which they were signed. */
  readonly operations: readonly OperationHistory[];
  readonly events: readonly OperationEvent[];
  /** The ids of events that came again although nothing had failed. */
  readonly repeatedEvents: readonly string[];
  /** Unusual answers by their route, status and code. */
  readonly answers: ReadonlyMap<string, number>;
  readonly credentials: readonly CredentialHistory[];
  /** The token accounts with their finalized balances. */
  readonly balances: ReadonlyMap<string, bigint>;
}

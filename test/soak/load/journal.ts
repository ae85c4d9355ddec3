/** What the load did, and what the service acknowledged. The checks at the end compare it with the chain. */
import type { OperationKind } from '@service/contract';
import type { OperationJson } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import type { Reply, Service } from './send-request.ts';

/** Tokens that a finalized operation moves. */
export interface TokenMove {
  /** The token account that is debited; null for an issue. */
  readonly from: Address | null;
  readonly to: Address;
  readonly amount: bigint;
}

/** The wallet of an operation, which can read it. */
export interface OperationOwner {
  readonly address: Address;
  operation(id: string, over?: Service): Promise<Reply<OperationJson>>;
}

/** An operation whose signature was sent to the service at least once. */
export interface SubmittedOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly client: OperationOwner;
  readonly move: TokenMove | null;
  /** When it was prepared, in milliseconds of `performance.now()`. */
  readonly preparedMs: number;
  /** Whether the service answered with a record in QUEUED or later. */
  isAcknowledged: boolean;
}

/** A webhook message that was sent to the service at least once. */
export interface DeliveredMessage {
  readonly type: 'verification.completed' | 'credential.revoked';
  readonly sessionId: string;
  readonly wallet: Address;
  /** `issuedAt` or `revokedAt`, in Unix seconds. */
  readonly time: bigint;
  /** Of the credential, in hex. */
  readonly commitment: string | null;
  /** Whether the service answered with 200. */
  isAcknowledged: boolean;
}

/** Everything that the load did. */
export interface Journal {
  readonly operations: SubmittedOperation[];
  readonly messages: DeliveredMessage[];
  /** The token accounts of the campaign. */
  readonly tokenAccounts: Address[];
  /** Responses that the load did not expect, by their route, status and code. */
  readonly surprises: Map<string, number>;
}

/** Creates an empty journal. */
export function createJournal(): Journal {
  return { operations: [], messages: [], tokenAccounts: [], surprises: new Map() };
}

/** Counts a response that the load did not expect. */
export function noteSurprise({ surprises }: Journal, what: string): void {
  surprises.set(what, (surprises.get(what) ?? 0) + 1);
}

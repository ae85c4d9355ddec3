/** Codes of the client's own errors and the context that each error carries; the service's codes are contract's. */
import type { ErrorCode } from '@service/contract';
import type { MessageDifference } from './client/compare-messages.ts';
import type { WalletChange } from './client/wallet-changes.ts';

/** Codes that the client adds to those of the service (SPEC.md section 7). */
export const CLIENT_ERROR_CODES = [
  /** An argument or option cannot be used. */
  'INVALID_ARGUMENT',
  /** The caller's AbortSignal fired before anything was signed. */
  'ABORTED',
  /** No answer in time. */
  'TIMEOUT',
  /** The service or the RPC cannot be reached. */
  'NETWORK_ERROR',
  /** The service answered with something that is not in its contract. */
  'UNEXPECTED_RESPONSE',
  /** The service's configuration is not that of the deployment, or names regions or statuses otherwise. */
  'CONFIG_MISMATCH',
  /** The caller's own RPC failed. */
  'RPC_ERROR',
  /** The genesis hash is not that of the deployment. */
  'GENESIS_HASH_MISMATCH',
  /** The sign-in message is not bound to what it must be bound to. */
  'CHALLENGE_REFUSED',
  /** The wallet, or its account, signs no messages, as with some hardware: it cannot sign in. */
  'WALLET_CANNOT_SIGN_MESSAGES',
  /** The wallet declined or failed to sign. */
  'WALLET_REJECTED',
  /** The wallet is not the one that the session or the prepared operation is of. */
  'WALLET_MISMATCH',
  /** The wallet gave a signature that does not verify. */
  'WALLET_SIGNATURE_INVALID',
  /** The wallet changed the message of the transaction before signing. */
  'WALLET_CHANGED_TRANSACTION',
  /** The object was not made by this client's prepare. */
  'NOT_PREPARED',
  /** The prepared transaction is not what the caller asked for. */
  'PREPARED_MISMATCH',
  /** The blockhash of the prepared transaction is not valid on the caller's RPC. */
  'BLOCKHASH_INVALID',
  /** An idempotency key was used again for an operation that was signed already. */
  'OPERATION_ALREADY_SIGNED',
  /** The operation is a draft that this client prepared and has not signed: sign it, or prepare again. */
  'OPERATION_NOT_SIGNED',
  /** The operation ended without effect. */
  'OPERATION_FAILED',
  /** Signed bytes have left and the chain does not show the outcome yet. */
  'OUTCOME_UNKNOWN',
  /** A transaction of `@service/sdk/chain` was refused or failed on chain, or its outcome is not known. */
  'TRANSACTION_FAILED',
  /** The pass cannot be closed: it is live, or could not be renewed yet. */
  'PASS_LIVE',
  /** A receipt is malformed, or not what the chain shows. */
  'RECEIPT_INVALID',
  /** A record was not read from the caller's RPC by proofContext. */
  'RECORD_NOT_VERIFIED',
  /** The service's copy of a record differs from the chain's. */
  'RECORD_MISMATCH',
  /** An account that the operation needs is not on chain. */
  'ACCOUNT_NOT_FOUND',
  /** expiresAt is not one that a pass can have. */
  'PASS_EXPIRY_INVALID',
  /** The circuit is retired, or not the one of the pinned artifacts. */
  'CIRCUIT_MISMATCH',
  /** The witness is malformed or not the one behind the credential. */
  'WITNESS_INVALID',
  /** No clause of the rule set holds for the witness. */
  'NOT_ELIGIBLE',
  /** The artifacts differ from the pinned digest, or may not be used on this cluster. */
  'ARTIFACTS_INVALID',
  /** The proof could not be made, or does not verify. */
  'PROVER_FAILED',
  /** The verifier's URL is not under an origin that the deployment pins. */
  'VERIFIER_ORIGIN_MISMATCH',
] as const;

/**
 * A code of the client (SPEC.md section 7).
 *
 * @useDeclaredType
 */
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];
/** Every code that a ServiceError can have. */
export type ServiceErrorCode = ErrorCode | ClientErrorCode;

/** The binding of a sign-in message that was found wrong. */
export type ChallengeBinding =
  | 'format'
  | 'origin'
  | 'wallet'
  | 'program'
  | 'genesisHash'
  | 'challengeId'
  | 'nonce'
  | 'issuedAt'
  | 'expiresAt';

/** Which requirements one clause of the rule set leaves unmet; `clause` counts from 0. */
export interface UnmetClause {
  readonly clause: number;
  readonly unmet: readonly ('region' | 'status' | 'age')[];
}

/** Why an operation ended without effect. */
export interface FailedOperation {
  readonly operationId: string;
  readonly reason: 'ON_CHAIN_ERROR' | 'NEVER_LANDED';
  /** Index of the instruction that failed: 0 is the memo, 1 the action. */
  readonly instruction?: number;
  /** The error of the program, by number and name. */
  readonly programError?: { readonly code: number; readonly name: string };
}

/** What an error of a code carries beside its message. Codes that are not listed carry nothing. */
export interface ServiceErrorContexts {
  INVALID_ARGUMENT: { readonly field: string };
  INVALID_REQUEST: { readonly field?: string };
  UNEXPECTED_RESPONSE: { readonly field?: string };
  GENESIS_HASH_MISMATCH: {
    readonly source: 'argument' | 'rpc' | 'context';
    readonly expected: string;
    readonly received: string;
  };
  CHALLENGE_REFUSED: {
    readonly binding: ChallengeBinding;
    readonly expected: string;
    readonly received: string | null;
  };
  WALLET_MISMATCH: { readonly expected: string; readonly received: string };
  WALLET_CHANGED_TRANSACTION: {
    /** What the wallet did, in kinds to tell the person about; `docs/wallets.md` says what to tell. */
    readonly changes: readonly WalletChange[];
    readonly differences: readonly MessageDifference[];
  };
  PREPARED_MISMATCH: { readonly differences: readonly MessageDifference[] };
  OPERATION_ALREADY_SIGNED: { readonly operationId: string };
  OPERATION_NOT_SIGNED: { readonly operationId: string };
  OPERATION_FAILED: FailedOperation;
  OUTCOME_UNKNOWN: {
    readonly operationId: string;
    /** The code with which the service answered, when it answered with an error. */
    readonly answer?: string;
  };
  TRANSACTION_FAILED: {
    /** Whether it certainly had no effect; else it may have landed, or may land yet. */
    readonly isFinal: boolean;
    /** Base58, to look it up. */
    readonly signature: string;
  };
  CONFIG_MISMATCH: { readonly fields: readonly string[] };
  PASS_LIVE: {
    /** Unix seconds at which the pass expires. */
    readonly expiresAt: bigint;
    /** Unix seconds from which anyone can close it. */
    readonly closableAt: bigint;
  };
  RECEIPT_INVALID: { readonly field: string; readonly expected: string; readonly received: string };
  RECORD_MISMATCH: { readonly fields: readonly string[] };
  ACCOUNT_NOT_FOUND: { readonly address: string };
  PASS_EXPIRY_INVALID: { readonly latest: bigint };
  NOT_ELIGIBLE: { readonly clauses: readonly UnmetClause[] };
}

/** The context of an error by its code. */
export type ServiceErrorContext<C extends ServiceErrorCode> = C extends keyof ServiceErrorContexts
  ? ServiceErrorContexts[C]
  : Readonly<Record<never, never>>;

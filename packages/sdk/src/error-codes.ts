/**
 * Codes of the client's own errors and the context that each error carries; the service's codes are
 * contract's.
 */
import type { ErrorCode, ProgramErrorName } from '@service/contract';
import type { MessageDifference } from './transaction/compare-messages.ts';
import type { WalletChange } from './transaction/wallet-changes.ts';

/**
 * Codes that the client adds to those of the service (SPEC.md section 7). `npm run docs:errors` makes
 * docs/errors.md of the comments.
 */
export const CLIENT_ERROR_CODES = [
  /** An argument or option cannot be used. Remedy: correct `context.field`. */
  'INVALID_ARGUMENT',
  /**
   * The caller's AbortSignal fired before anything was signed. Remedy: none; nothing was sent, and the call
   * can be repeated.
   */
  'ABORTED',
  /** No answer in time. Remedy: repeat the call. */
  'TIMEOUT',
  /** The service or the RPC cannot be reached. Remedy: check the connection, and repeat the call. */
  'NETWORK_ERROR',
  /**
   * The service answered with something that is not in its contract. Remedy: tell the operator; look whether
   * `baseUrl` is the service, and whether the SDK is of its version.
   */
  'UNEXPECTED_RESPONSE',
  /**
   * The service's configuration is not that of the deployment, or names regions or statuses otherwise.
   * Remedy: get the operator’s current deployment by a way that you trust; never from the service that
   * answers otherwise.
   */
  'CONFIG_MISMATCH',
  /** The caller's own RPC failed. Remedy: repeat the call; if it stays, use another `rpcUrl`. */
  'RPC_ERROR',
  /**
   * The genesis hash is not that of the deployment. Remedy: use an RPC of the cluster of the deployment, and
   * pass `deployment.genesisHash`.
   */
  'GENESIS_HASH_MISMATCH',
  /**
   * The sign-in message is not bound to what it must be bound to. Remedy: do not sign in there: the service
   * is broken or hostile; for `issuedAt` and `expiresAt` check the clock of the machine first.
   */
  'CHALLENGE_REFUSED',
  /**
   * The wallet, or its account, signs no messages, as with some hardware: it cannot sign in. Remedy: ask for
   * another account or wallet.
   */
  'WALLET_CANNOT_SIGN_MESSAGES',
  /** The wallet declined or failed to sign. Remedy: let the person try again. */
  'WALLET_REJECTED',
  /**
   * The wallet is not the one that the session or the prepared operation is of. Remedy: switch the wallet to
   * `context.expected`, or sign in again.
   */
  'WALLET_MISMATCH',
  /**
   * The wallet gave a signature that does not verify. Remedy: let the person choose the right account in the
   * wallet.
   */
  'WALLET_SIGNATURE_INVALID',
  /**
   * The wallet changed the message of the transaction before signing. Remedy: by `context.changes`;
   * docs/wallets.md says what to tell.
   */
  'WALLET_CHANGED_TRANSACTION',
  /**
   * The object was not made by this client's prepare. Remedy: pass the very object that `client.prepare` of
   * the same client returned.
   */
  'NOT_PREPARED',
  /**
   * The prepared transaction is not what the caller asked for. Remedy: do not sign: the service is broken or
   * hostile; tell the operator.
   */
  'PREPARED_MISMATCH',
  /**
   * The wallet has not the SOL for the network fee: what it signs would never land. Remedy: send SOL to
   * `context.wallet`, then repeat the call.
   */
  'INSUFFICIENT_FUNDS',
  /**
   * The blockhash of the prepared transaction is not valid on the caller's RPC. Remedy: repeat the call; if
   * it stays, the RPC is behind or of another cluster.
   */
  'BLOCKHASH_INVALID',
  /**
   * An idempotency key was used again for an operation that was signed already. Remedy:
   * `client.resume(context.operationId)`.
   */
  'OPERATION_ALREADY_SIGNED',
  /**
   * The operation is a draft that this client prepared and has not signed: sign it, or prepare again. Remedy:
   * sign it with `signAndSubmit`, or repeat the call.
   */
  'OPERATION_NOT_SIGNED',
  /**
   * The operation ended without effect. Remedy: by `context.programError`; nothing has changed, and the call
   * can be repeated when its cause is gone.
   */
  'OPERATION_FAILED',
  /**
   * Signed bytes have left and the chain does not show the outcome yet. Remedy: never repeat the write:
   * `client.resume(context.operationId)` until it answers.
   */
  'OUTCOME_UNKNOWN',
  /**
   * A transaction of `@service/sdk/chain` was refused or failed on chain, or its outcome is not known.
   * Remedy: when `context.isFinal`, repeat the call once its cause is gone; else look `context.signature` up
   * first.
   */
  'TRANSACTION_FAILED',
  /**
   * The pass cannot be closed: it is live, or could not be renewed yet. Remedy: wait until
   * `context.closableAt`.
   */
  'PASS_LIVE',
  /**
   * A receipt is malformed, or not what the chain shows. Remedy: do not believe the receipt; ask whoever gave
   * it for another.
   */
  'RECEIPT_INVALID',
  /**
   * A record was not read from the caller's RPC by proofContext. Remedy: pass the records of one
   * `client.proofContext` as they are, and the context as `buildEligibilityContext` returned it.
   */
  'RECORD_NOT_VERIFIED',
  /**
   * The service's copy of a record differs from the chain's. Remedy: repeat the call; if it stays, the
   * service is broken or hostile.
   */
  'RECORD_MISMATCH',
  /**
   * An account that the operation needs is not on chain. Remedy: check `context.address` and the cluster; an
   * account that was made a moment ago is there once it is final.
   */
  'ACCOUNT_NOT_FOUND',
  /** expiresAt is not one that a pass can have. Remedy: take `latestPassExpiry(facts)`, or less. */
  'PASS_EXPIRY_INVALID',
  /** The pass was proved too lately to be renewed yet. Remedy: wait until `context.renewableAt`. */
  'PASS_RENEWAL_TOO_EARLY',
  /**
   * The circuit is retired, or not the one of the pinned artifacts. Remedy: get the operator’s current
   * deployment, which pins the new artifacts.
   */
  'CIRCUIT_MISMATCH',
  /**
   * The witness is malformed or not the one behind the credential. Remedy: use the witness that came back
   * from the last verification, or verify again.
   */
  'WITNESS_INVALID',
  /** No clause of the rule set holds for the witness. Remedy: by `context.clauses`; nothing was sent. */
  'NOT_ELIGIBLE',
  /**
   * The artifacts differ from the pinned digest, or may not be used on this cluster. Remedy: do not prove:
   * get the artifacts and the digest from the operator by a way that you trust.
   */
  'ARTIFACTS_INVALID',
  /**
   * The proof could not be made, or does not verify. Remedy: repeat the call; with `disposeProver` before it,
   * in a new worker.
   */
  'PROVER_FAILED',
  /**
   * The verifier's URL is not under an origin that the deployment pins. Remedy: do not send the person there;
   * when the operator says that the verifier is new, take the new deployment.
   */
  'VERIFIER_ORIGIN_MISMATCH',
  /**
   * The service says that the wallet's latest verification failed. Remedy: let the person verify again with
   * `startVerification`; why it failed the verifier tells them.
   */
  'VERIFICATION_FAILED',
] as const;

/**
 * A code of the client (SPEC.md section 7).
 *
 * @useDeclaredType
 */
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];
/** Every code that a ServiceError can have (SPEC.md section 7). */
export type ServiceErrorCode = ErrorCode | ClientErrorCode;

/**
 * The binding of a sign-in message that was found wrong (SPEC.md section 5).
 *
 * @inline
 */
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

/**
 * Which requirements one clause of the rule set leaves unmet; `clause` counts from 0 (SPEC.md sections 1 and
 * 7).
 *
 * @inline
 */
export type UnmetClause = {
  /** Index of the clause in the rule set, from 0. */
  readonly clause: number;
  /** What of it does not hold. */
  readonly unmet: readonly ('region' | 'status' | 'age')[];
};

/**
 * Why an operation ended without effect (SPEC.md section 3).
 *
 * @inline
 */
export type FailedOperation = {
  /** UUID of the operation. */
  readonly operationId: string;
  /** Whether it failed on chain or certainly never got there. */
  readonly reason: 'ON_CHAIN_ERROR' | 'NEVER_LANDED';
  /** Index of the instruction that failed: 0 is the memo, 1 the action. */
  readonly instruction?: number;
  /** The error of the program, by number and name. */
  readonly programError?: {
    /** Number of the error. */
    readonly code: number;
    /** Its name, such as `DESTINATION_PASS_MISSING`; `CUSTOM_<code>` when the number has no known name. */
    readonly name: ProgramErrorName;
  };
};

/**
 * What an error of a code carries beside its message. Codes that are not listed carry nothing (SPEC.md
 * section 7).
 */
export interface ServiceErrorContexts {
  /** The argument or option. */
  INVALID_ARGUMENT: {
    /** Its name, with dots where it lies deeper, as in `deployment.rpcUrl`. */
    readonly field: string;
  };
  /** The field of the request, where one can be named. */
  INVALID_REQUEST: {
    /** Its name in the body. */
    readonly field?: string;
  };
  /** The field of the answer, where one can be named. */
  UNEXPECTED_RESPONSE: {
    /** Its name in the body. */
    readonly field?: string;
  };
  /** Where the other genesis hash comes from; both in base58. */
  GENESIS_HASH_MISMATCH: {
    readonly source: 'argument' | 'rpc' | 'context';
    /** That of the deployment. */
    readonly expected: string;
    /** The other one. */
    readonly received: string;
  };
  /** The binding that is wrong; null when the message has none. */
  CHALLENGE_REFUSED: {
    /** What the message should be bound to. */
    readonly binding: ChallengeBinding;
    /** What the message should say. */
    readonly expected: string;
    /** What it says. */
    readonly received: string | null;
  };
  /** The two addresses. */
  WALLET_MISMATCH: {
    /** Base58 address of the wallet that it should be. */
    readonly expected: string;
    /** Base58 address of the wallet that it is. */
    readonly received: string;
  };
  /** What the wallet changed. */
  WALLET_CHANGED_TRANSACTION: {
    /** What the wallet did, in kinds to tell the person about; `docs/wallets.md` says what to tell. */
    readonly changes: readonly WalletChange[];
    /** Where its message differs from the one that it was given. */
    readonly differences: readonly MessageDifference[];
  };
  /** How the message differs from the one that the request leads to. */
  PREPARED_MISMATCH: {
    /** Each place, in order. */
    readonly differences: readonly MessageDifference[];
  };
  /** Who cannot pay the network fee. */
  INSUFFICIENT_FUNDS: {
    /** Base58 address of the wallet that pays. */
    readonly wallet: string;
    /** Lamports that it has. */
    readonly balance: bigint;
    /** Lamports that it needs. */
    readonly needed: bigint;
  };
  /** The operation to resume. */
  OPERATION_ALREADY_SIGNED: {
    /** UUID. */
    readonly operationId: string;
  };
  /** The draft. */
  OPERATION_NOT_SIGNED: {
    /** UUID. */
    readonly operationId: string;
  };
  /** Why it failed. */
  OPERATION_FAILED: FailedOperation;
  /** The operation to resume. */
  OUTCOME_UNKNOWN: {
    /** UUID. */
    readonly operationId: string;
    /** The code with which the service answered, when it answered with an error. */
    readonly answer?: string;
  };
  /** The transaction, and whether it can still land. */
  TRANSACTION_FAILED: {
    /** Whether it certainly had no effect; else it may have landed, or may land yet. */
    readonly isFinal: boolean;
    /** Base58, to look it up. */
    readonly signature: string;
  };
  /** What differs from the deployment. */
  CONFIG_MISMATCH: {
    /** Names of fields of `GET /api/config`. */
    readonly fields: readonly string[];
  };
  /** When the pass can be closed. */
  PASS_LIVE: {
    /** Unix seconds at which the pass expires. */
    readonly expiresAt: bigint;
    /** Unix seconds from which anyone can close it. */
    readonly closableAt: bigint;
  };
  /** The first field that does not hold. */
  RECEIPT_INVALID: {
    /** Its name in the receipt. */
    readonly field: string;
    /** What the chain, or the form of a receipt, wants. */
    readonly expected: string;
    /** What the receipt says. */
    readonly received: string;
  };
  /** The fields in which the service and the chain differ. */
  RECORD_MISMATCH: {
    /** Names of fields of the record, with dots. */
    readonly fields: readonly string[];
  };
  /** Where no such account is. */
  ACCOUNT_NOT_FOUND: {
    /** Base58. */
    readonly address: string;
  };
  /** The latest expiry that the pass can have, in Unix seconds. */
  PASS_EXPIRY_INVALID: {
    /** Unix seconds. */
    readonly latest: bigint;
  };
  /** When the pass can be renewed. */
  PASS_RENEWAL_TOO_EARLY: {
    /** Unix seconds. */
    readonly renewableAt: bigint;
  };
  /** What each clause leaves unmet; for the caller alone. */
  NOT_ELIGIBLE: {
    /** One for each clause of the rule set. */
    readonly clauses: readonly UnmetClause[];
  };
}

/** The context of an error by its code (SPEC.md section 7). */
export type ServiceErrorContext<C extends ServiceErrorCode> = C extends keyof ServiceErrorContexts
  ? ServiceErrorContexts[C]
  : Readonly<Record<never, never>>;

/** Codes of the client's own errors. The codes of the service are in `@service/contract`; contexts are in error-contexts.ts. */
import type { ErrorCode } from '@service/contract';

/**
 * Codes that the client adds to those of the service (SPEC.md section 7). `npm run generate` copies the comments
 * into docs/errors.md.
 */
export const CLIENT_ERROR_CODES = [
  /** An argument or option is not valid. Remedy: correct `context.field`. */
  'INVALID_ARGUMENT',
  /** The caller's AbortSignal fired before anything was signed. Remedy: none. Nothing was sent, and you can repeat the call. */
  'ABORTED',
  /**
   * This browser, runtime or page lacks something that the call needs. Remedy: follow `context.missing[].remedy`.
   * `checkPlatform()` returns the same before a call.
   */
  'UNSUPPORTED_PLATFORM',
  /**
   * A call failed for a reason that the SDK does not know, such as a mistake in its own code. Remedy: report the error with its
   * `cause` to the maintainers of the SDK.
   */
  'UNEXPECTED_ERROR',
  /** There was no answer in time. Remedy: repeat the call. */
  'TIMEOUT',
  /** The service or the RPC could not be reached. Remedy: check the connection, and repeat the call. */
  'NETWORK_ERROR',
  /**
   * The service answered with something that is not in its contract. Remedy: check that `baseUrl` is the service and
   * that the SDK has its version. Then report it to the operator.
   */
  'UNEXPECTED_RESPONSE',
  /**
   * The service's configuration differs from the deployment, or it uses other names for regions or statuses. Remedy: get
   * the operator’s current deployment through a channel that you trust, and never from this service.
   */
  'CONFIG_MISMATCH',
  /**
   * Your own RPC failed, limits its requests, or returned a result that is not valid. Remedy: repeat the call. If it fails
   * again, set `rpcUrl` to another RPC, such as a paid one.
   */
  'RPC_ERROR',
  /**
   * The genesis hash differs from the deployment's. Remedy: use an RPC of the deployment's cluster, and pass
   * `deployment.genesisHash`.
   */
  'GENESIS_HASH_MISMATCH',
  /**
   * The sign-in message is not bound to this site, wallet or cluster. Remedy: do not sign in, because the service is
   * broken or hostile. If the error says that the clock of this device is wrong, correct the clock first.
   */
  'CHALLENGE_REFUSED',
  /**
   * The wallet object or its account cannot sign messages, so it cannot sign in. Remedy: pass a signer that has what
   * `error.message` names. If the account itself cannot, as with some hardware wallets, ask the person for another one.
   */
  'WALLET_CANNOT_SIGN_MESSAGES',
  /** The wallet declined or failed to sign. Remedy: let the person try again. */
  'WALLET_REJECTED',
  /**
   * The call acts for one wallet, but the session, the operation or the witness belongs to another one. Remedy: switch the
   * wallet back, or sign in again. `error.message` says which wallet is which.
   */
  'WALLET_MISMATCH',
  /** The wallet returned a signature that is not valid. Remedy: let the person choose the right account in the wallet. */
  'WALLET_SIGNATURE_INVALID',
  /**
   * The wallet changed the transaction before it signed. Remedy: look at `context.changes`; docs/wallets.md has a text for
   * each change.
   */
  'WALLET_CHANGED_TRANSACTION',
  /**
   * The object was not made by this client's `prepare`. Remedy: pass the object that `client.prepare` of the same client
   * returned.
   */
  'NOT_PREPARED',
  /**
   * The prepared transaction is not what the caller asked for. Remedy: do not sign it. The service is broken or hostile:
   * report it to the operator.
   */
  'PREPARED_MISMATCH',
  /**
   * The wallet does not have enough SOL for fees, rent and what it must keep. Remedy: send the missing lamports to
   * `context.wallet`, then repeat the call.
   */
  'INSUFFICIENT_FUNDS',
  /**
   * The wallet can send fewer tokens from the source, or the mint can issue fewer. Remedy: use at most `context.most` base
   * units. `checkTransfer` says whether the balance, a delegation or another owner limits a transfer.
   */
  'AMOUNT_TOO_HIGH',
  /**
   * The blockhash of the prepared transaction is not valid on your own RPC. Remedy: prepare again. If it fails again, the
   * RPC is behind or belongs to another cluster.
   */
  'BLOCKHASH_INVALID',
  /**
   * The operation of this idempotency key was already signed. Remedy: call
   * `client.waitForOperation(context.operationId)`.
   */
  'OPERATION_ALREADY_SIGNED',
  /** This client prepared the operation and has not signed it. Remedy: call `signAndSubmit`, or prepare again. */
  'OPERATION_NOT_SIGNED',
  /**
   * The operation ended without effect. Remedy: fix the cause in `context.programError`, then repeat the call.
   */
  'OPERATION_FAILED',
  /**
   * The signed bytes were sent, and the chain does not show the outcome yet. Remedy: never repeat the write. Call
   * `client.waitForOperation(context.operationId)` until it resolves or throws OPERATION_FAILED.
   */
  'OUTCOME_UNKNOWN',
  /**
   * A transaction of `@service/sdk/chain` was rejected, failed on chain, or its outcome is unknown. Remedy: if
   * `context.isFinal`, fix the cause and repeat the call. Otherwise look up `context.signature` first.
   */
  'TRANSACTION_FAILED',
  /**
   * The ledger of `issueMany` belongs to other rows, or to another mint, issuer or cluster. Remedy: pass what its first call
   * had: `context.fields` names the differences. For other rows, use a new ledger.
   */
  'LEDGER_MISMATCH',
  /**
   * The ledger of `issueMany` could not be read or written, another process uses it, or one of its lines is not valid.
   * Remedy: do what `error.message` says, then repeat the call with the same ledger. Never delete a ledger with rows in it.
   */
  'LEDGER_FAILED',
  /**
   * The pass is live or could still be renewed, so it cannot be closed. Or it is live, so nobody can freeze the token account of
   * its holder. Remedy: wait until `context.closableAt`. If it is 2^64 - 1, ask the creator of the rule set: nobody else can act.
   */
  'PASS_LIVE',
  /**
   * The wallet has no live pass for the rule set of the mint. Remedy: prove the rule set `context.rule` with the wallet
   * `context.wallet`, then repeat the call.
   */
  'PASS_REQUIRED',
  /**
   * The issuer paused the mint, so nobody can issue, transfer, recover or redeem its tokens. Remedy: wait until the issuer
   * calls `resumeMint`, then repeat the call.
   */
  'MINT_PAUSED',
  /**
   * Token ACL cannot ask the program about this mint: the mint cannot have a gate, or its issuer named another gate or did not
   * allow the call. Remedy: follow `error.message`.
   */
  'GATE_UNUSABLE',
  /**
   * A receipt is malformed, or the chain shows something else. Remedy: do not accept the receipt. Ask its sender for
   * another one.
   */
  'RECEIPT_INVALID',
  /**
   * A record did not come from `proofContext`, which reads your own RPC. Remedy: pass the records of one
   * `client.proofContext` call unchanged, and the context that `buildEligibilityContext` returned.
   */
  'RECORD_NOT_VERIFIED',
  /**
   * The service's copy of a record differs from the chain. Remedy: repeat the call if `retryable`. If it fails again,
   * the service is broken or hostile.
   */
  'RECORD_MISMATCH',
  /**
   * An account that the operation needs is not on chain. Remedy: check `context.address` and the cluster. A new account
   * can be read once it is final.
   */
  'ACCOUNT_NOT_FOUND',
  /**
   * An account has a layout that this SDK does not know, so it cannot say what it means. Remedy: update the SDK, and check the
   * program of the deployment.
   */
  'ACCOUNT_UNREADABLE',
  /** A pass cannot have this `expiresAt`. Remedy: use `latestPassExpiry(facts)` or an earlier time. */
  'PASS_EXPIRY_INVALID',
  /** The last proof of the pass is too recent for a renewal. Remedy: wait until `context.renewableAt`. */
  'PASS_RENEWAL_TOO_EARLY',
  /**
   * Other wallets of the person hold all places. Remedy: set `replaces` to one that `fetchPlaces` returns. This ends its pass.
   */
  'NO_PLACE_FREE',
  /**
   * The circuit is retired, or its artifacts or verifying key on chain are not the pinned ones. Remedy: get the
   * operator’s current deployment, which pins the new artifacts.
   */
  'CIRCUIT_MISMATCH',
  /**
   * The witness is malformed or does not belong to the credential. Remedy: use the witness of the last verification, or
   * verify again.
   */
  'WITNESS_INVALID',
  /** The saved witness cannot be opened. Remedy: follow `error.message`, or verify again. */
  'WITNESS_LOCKED',
  /** The witness meets no clause of the rule set. Remedy: look at `context.clauses`. Nothing was sent. */
  'NOT_ELIGIBLE',
  /**
   * The artifacts differ from the pinned digest, or must not be used on this cluster. Remedy: do not prove. Get artifacts
   * and digest from the operator through a channel that you trust.
   */
  'ARTIFACTS_INVALID',
  /**
   * The proof could not be made, or it is not valid. Remedy: repeat the call if `retryable`, because the prover stopped.
   * Otherwise check the artifacts and the content security policy of the page.
   */
  'PROVER_FAILED',
  /**
   * The verifier's URL is not under an origin that the deployment pins. Remedy: do not send the person there. If the
   * operator confirms a new verifier, use the new deployment.
   */
  'VERIFIER_ORIGIN_MISMATCH',
  /**
   * The service reports that the wallet's latest verification failed. Remedy: let the person verify again with
   * `startVerification`. The verifier tells them why it failed.
   */
  'VERIFICATION_FAILED',
] as const;

/** A code of the client (SPEC.md section 7). */
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];
/** Every code that a ServiceError can have (SPEC.md section 7). */
export type ServiceErrorCode = ErrorCode | ClientErrorCode;

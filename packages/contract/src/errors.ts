/** The error codes of the service and their HTTP statuses (SPEC.md section 7, and codes for what it leaves open). */

/**
 * The HTTP status and the meaning of each code. The comments say what to do; `npm run generate` copies them into
 * packages/sdk/docs/errors.md.
 */
export const ERROR_CODES = {
  /** Remedy: call `client.authenticate`. `client.session()` returns null when nobody is signed in. */
  AUTHENTICATION_REQUIRED: { status: 401, meaning: 'Sign in again.' },
  /** Remedy: call `client.authenticate`. */
  SESSION_EXPIRED: { status: 401, meaning: 'The session has expired. Sign in again.' },
  /** Remedy: call from a page of the site’s own origin. Outside a page, set `baseUrl`. */
  ORIGIN_MISMATCH: { status: 403, meaning: 'The request came from another origin.' },
  /** Remedy: set `idempotencyKey` to 8 to 100 letters, digits, `_` or `-`, or leave it out. */
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, meaning: 'The Idempotency-Key header is missing or malformed.' },
  /** Remedy: use a new key for each request, or leave it out. */
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'The idempotency key was used for a different request body.',
  },
  /**
   * Remedy: wait for that operation with `client.waitForOperation(operationId)`, then repeat the call. If the wallet signed
   * something that was not sent, repeat the call after the seconds that `error.message` names.
   */
  SIGNED_OPERATION_PENDING: {
    status: 409,
    meaning: 'Another signed operation of the wallet has no final result yet.',
  },
  /**
   * Remedy: prepare again, and sign the bytes without changing them. A wallet may add only guards and a priority fee under the
   * service’s cap.
   */
  TRANSACTION_MISMATCH: { status: 400, meaning: 'The signed bytes differ from the prepared message.' },
  /** Remedy: repeat the call, and ask the person to confirm within 90 seconds. */
  DRAFT_EXPIRED: { status: 409, meaning: 'The draft expired. Prepare again.' },
  /** Remedy: repeat the call in a few seconds. The client has already retried three times. */
  INDEX_STALE: { status: 503, meaning: 'The index is catching up. Retry shortly.' },
  /** Remedy: wait until governance ends the pause. */
  PROTOCOL_PAUSED: { status: 503, meaning: 'The protocol is paused.' },
  /** Remedy: call `startVerification`, send the person to its URL, then call `waitForCredential({ witness })`. */
  CREDENTIAL_REQUIRED: { status: 409, meaning: 'The wallet has no credential to prove with. Verify first.' },
  /** Remedy: call `startVerification` again, then `waitForCredential({ witness })`. */
  CREDENTIAL_EXPIRED: { status: 409, meaning: 'The credential has expired. Verify again.' },
  /** Remedy: verify again at an active verifier. `client.network()` returns which ones are active. */
  VERIFIER_INACTIVE: { status: 409, meaning: 'The verifier of the credential is not active.' },
  /** Remedy: verify at the verifier that the rule set names. `client.ruleSets()` returns it as `verifier`. */
  VERIFIER_NOT_ACCEPTED: {
    status: 409,
    meaning: 'The rule set accepts only credentials of another verifier.',
  },
  /** Remedy: ask the creator of the rule set. The suspension may also lapse: see `suspendedUntil` of the pass. */
  PASS_SUSPENDED: { status: 409, meaning: 'The creator of the rule set suspended the pass.' },
  /** Remedy: leave out `replaces` if the rule set has no limit. Otherwise update the SDK. */
  PLACE_NOT_IN_RULE_SET: {
    status: 400,
    meaning: 'The proof has no place of the rule set, or must have none.',
  },
  /** Remedy: prove again, which takes another place. */
  PLACE_TAKEN: { status: 409, meaning: 'Another wallet holds this place of the person.' },
  /** Remedy: set `replaces` to a wallet that `fetchPlaces` returns. */
  PLACE_NOT_HELD: { status: 409, meaning: 'The wallet to replace holds no place of this person.' },
  /** Remedy: repeat the call at `replaceableAt`, which `fetchPlaces` returns. */
  PLACE_TAKEN_TOO_SOON: {
    status: 409,
    meaning: 'The wallet to replace has held the place for less than an hour.',
  },
  /** Remedy: ask the creator of the rule set. */
  PLACE_HELD_BY_SUSPENDED: {
    status: 409,
    meaning: 'The creator of the rule set suspended the wallet to replace.',
  },
  /** Remedy: read the pass again. It has no suspension to lift. */
  PASS_NOT_SUSPENDED: { status: 409, meaning: 'The creator of the rule set has not suspended the wallet.' },
  /** Remedy: wait until the pass expires. To stop the holder now, call `client.suspend`. */
  PASS_PROVED: {
    status: 409,
    meaning: 'The wallet has a live pass that it proved. A grant cannot replace it.',
  },
  /** Remedy: check the address of the holder. To stop a wallet that proved its pass, call `client.suspend`. */
  PASS_NOT_GRANTED: { status: 409, meaning: 'The wallet has no granted pass of the rule set.' },
  /** Remedy: create another rule set with the power in `powers`. The powers of a rule set never change. */
  POWER_NOT_GIVEN: { status: 409, meaning: 'The rule set does not give its creator this power.' },
  /** Remedy: send SOL to the rule set with `fundRuleSet` of `@service/sdk/chain`. Any wallet can do that. */
  PASS_FEE_UNFUNDED: { status: 409, meaning: 'The pass funds of the rule set cannot cover the pass fee.' },
  /** Remedy: the creator of the rule set agrees to the fee with `setMaxPassFee` of `@service/sdk/chain`. */
  PASS_FEE_ABOVE_LIMIT: { status: 409, meaning: 'The pass fee is above the limit of the rule set.' },
  /** Remedy: ask the operator. Governance must set the fee first. */
  PASS_FEE_UNSET: { status: 503, meaning: 'Governance has not set the pass fee yet.' },
  /** Remedy: create the mint with `createBindableMint`, and bind it before you mint any tokens. */
  MINT_NOT_BINDABLE: { status: 409, meaning: 'The mint does not meet the binding profile.' },
  /** Remedy: create another mint with `createBindableMint`. */
  UNSUPPORTED_MINT_EXTENSIONS: {
    status: 400,
    meaning: 'The mint has extensions outside the binding profile.',
  },
  /** Remedy: its owner calls `createTokenAccount` of `@service/sdk/chain`, which waits until the account is final. */
  TOKEN_ACCOUNT_NOT_FOUND: {
    status: 409,
    meaning: 'A token account does not exist at finalized commitment yet.',
  },
  /** Remedy: repeat the call later. The client has already waited and retried three times. */
  RATE_LIMITED: {
    status: 429,
    meaning: 'Too many requests. Retry after the number of seconds in Retry-After.',
  },
  /** Remedy: correct the request. `context.field` names the wrong field when the error is about one. */
  INVALID_REQUEST: { status: 400, meaning: 'The request is not valid.' },
  /** Remedy: prove again with the witness of the newest credential. */
  PROOF_INVALID: { status: 400, meaning: 'The proof is not valid for this wallet, rule set and expiry.' },
  /** Remedy: sign in with the wallet of the issuer. `fetchBinding` of `@service/sdk/chain` returns it. */
  NOT_ISSUER: { status: 403, meaning: 'The wallet is not the issuer of the mint.' },
  /** Remedy: sign in with the wallet that created the rule set. `client.ruleSets()` returns it as `creator`. */
  NOT_CREATOR: { status: 403, meaning: 'The wallet is not the creator of the rule set.' },
  /** Remedy: create another mint with the template `security` or `fund`. Its permanent delegate is fixed when it is created. */
  RECOVERY_NOT_ENABLED: { status: 409, meaning: 'The mint does not let its issuer take tokens.' },
  /** Remedy: check the address or the id, and check which wallet is signed in. */
  NOT_FOUND: { status: 404, meaning: 'The record does not exist, or this wallet cannot read it.' },
  /** Remedy: use a method of the `Allow` header. The client itself never sends another one. */
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path does not have this method.' },
  /** Remedy: the issuer calls `client.bindMint`. A mint with a gate needs no binding: use a plain transfer of Token-2022. */
  MINT_NOT_BOUND: { status: 409, meaning: 'The mint is not bound to a rule set.' },
  /** Remedy: send a smaller request. The client itself never sends one that large. */
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The request body is too large.' },
  /** Remedy: send `requestId` to the operator. */
  INTERNAL: { status: 500, meaning: 'The service failed. Send the request id to the operator.' },
  /** Remedy: repeat the call later. */
  UNAVAILABLE: { status: 503, meaning: 'A part of the service did not respond. Retry later.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

/**
 * A code of the service (SPEC.md section 7).
 *
 * @useDeclaredType
 */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Returns whether a text is a code of the service. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

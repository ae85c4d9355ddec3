/** The error codes of the service with their HTTP status (SPEC.md section 7 and the ones that it leaves open). */
import * as z from 'zod/mini';

/**
 * Code -> HTTP status, meaning. The comments say what to do; `npm run docs:errors` takes them into
 * packages/sdk/docs/errors.md.
 */
export const ERROR_CODES = {
  /** Remedy: call `client.authenticate`; `client.session()` tells beforehand whether there is a session. */
  AUTHENTICATION_REQUIRED: { status: 401, meaning: 'Sign in again.' },
  /** Remedy: call `client.authenticate`. */
  SESSION_EXPIRED: { status: 401, meaning: 'The session has expired. Sign in again.' },
  /** Remedy: call from a page of the site’s own origin; outside a page give `baseUrl`. */
  ORIGIN_MISMATCH: { status: 403, meaning: 'The request came from another origin.' },
  /** Remedy: give `idempotencyKey` 8 to 100 letters, digits, `_` and `-`, or leave it out. */
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, meaning: 'The Idempotency-Key header is missing or malformed.' },
  /** Remedy: use another key for another request, or leave it out. */
  IDEMPOTENCY_CONFLICT: { status: 409, meaning: 'The idempotency key was used for a different body.' },
  /** Remedy: wait for the one before with `client.resume(operationId)`, then repeat the call. */
  SIGNED_OPERATION_PENDING: {
    status: 409,
    meaning: 'Another signed operation of the wallet has no final result yet.',
  },
  /** Remedy: prepare again, and sign the bytes as they are. */
  TRANSACTION_MISMATCH: { status: 400, meaning: 'The signed bytes differ from the prepared message.' },
  /** Remedy: repeat the call, and ask the person to confirm within 90 seconds. */
  DRAFT_EXPIRED: { status: 409, meaning: 'The draft expired. Prepare again.' },
  /** Remedy: repeat the call in some seconds; the client has done so three times. */
  INDEX_STALE: { status: 503, meaning: 'The index is catching up. Retry shortly.' },
  /** Remedy: wait until governance ends the pause. */
  PROTOCOL_PAUSED: { status: 503, meaning: 'The protocol is paused.' },
  /** Remedy: `startVerification`, send the person there, then `waitForCredential`. */
  CREDENTIAL_REQUIRED: { status: 409, meaning: 'The wallet has no credential that can prove. Verify first.' },
  /** Remedy: `startVerification` again, then `waitForCredential({ issuedAfter })`. */
  CREDENTIAL_EXPIRED: { status: 409, meaning: 'The credential has expired. Verify again.' },
  /** Remedy: verify again at an active verifier; which are active `client.network()` tells. */
  VERIFIER_INACTIVE: { status: 409, meaning: 'The verifier of the credential is not active.' },
  /** Remedy: anyone sends SOL with `fundRuleSet` of `@service/sdk/chain`. */
  PASS_FEE_UNFUNDED: { status: 409, meaning: 'The pass funds of the rule set cannot cover the pass fee.' },
  /** Remedy: ask the operator: governance must set the fee first. */
  PASS_FEE_UNSET: { status: 503, meaning: 'Governance has not set the pass fee yet.' },
  /** Remedy: make the mint with `createBindableMint`, and bind it before anything is minted. */
  MINT_NOT_BINDABLE: { status: 409, meaning: 'The mint does not meet the binding profile.' },
  /** Remedy: make another mint with `createBindableMint`. */
  UNSUPPORTED_MINT_EXTENSIONS: {
    status: 400,
    meaning: 'The mint has extensions outside the binding profile.',
  },
  /** Remedy: its owner calls `createTokenAccount` of `@service/sdk/chain`, which waits until it is final. */
  TOKEN_ACCOUNT_NOT_FOUND: {
    status: 409,
    meaning: 'A token account does not exist at finalized commitment yet.',
  },
  /** Remedy: repeat the call later; the client has waited and done so three times. */
  RATE_LIMITED: { status: 429, meaning: 'Too many requests. Retry after the seconds in Retry-After.' },
  /** Remedy: correct the request: `context.field` names the field where one can be named. */
  INVALID_REQUEST: { status: 400, meaning: 'The service cannot take this request.' },
  /** Remedy: prove again with the witness of the newest credential. */
  PROOF_INVALID: { status: 400, meaning: 'The proof does not verify for this wallet, rule set and expiry.' },
  /** Remedy: sign in with the wallet that bound the mint. */
  NOT_ISSUER: { status: 403, meaning: 'The wallet is not the issuer of the mint.' },
  /** Remedy: check the address or the id, and which wallet is signed in. */
  NOT_FOUND: { status: 404, meaning: 'There is no such thing for this wallet.' },
  /** Remedy: the issuer calls `client.bindMint`. */
  MINT_NOT_BOUND: { status: 409, meaning: 'The mint is not bound to a rule set.' },
  /** Remedy: send less; the client itself never sends that much. */
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The request body is too large.' },
  /** Remedy: give `requestId` to the operator. */
  INTERNAL: { status: 500, meaning: 'The service failed. Report the request id.' },
  /** Remedy: repeat the call later. */
  UNAVAILABLE: { status: 503, meaning: 'A part of the service cannot be reached. Retry later.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

/**
 * A code of the service (SPEC.md section 7).
 *
 * @useDeclaredType
 */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a text is a code of the service. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

/** The error body of every failure (SPEC.md section 7). */
export const errorBody = z.object({
  /** Why the request was refused. */
  error: z.object({
    /** Stable, to be acted on. */
    code: z.string(),
    /** What is wrong and what helps, for people. */
    message: z.string(),
    /** UUID of the request, for whoever runs the service; also in X-Request-Id. */
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** The error codes of the service with their HTTP status (SPEC.md section 7 and the ones that it leaves open). */
import * as z from 'zod/mini';

/** Code -> HTTP status, meaning. */
export const ERROR_CODES = {
  AUTHENTICATION_REQUIRED: { status: 401, meaning: 'Sign in again.' },
  SESSION_EXPIRED: { status: 401, meaning: 'The session has expired. Sign in again.' },
  ORIGIN_MISMATCH: { status: 403, meaning: 'The request came from another origin.' },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, meaning: 'The Idempotency-Key header is missing or malformed.' },
  IDEMPOTENCY_CONFLICT: { status: 409, meaning: 'The idempotency key was used for a different body.' },
  SIGNED_OPERATION_PENDING: {
    status: 409,
    meaning: 'Another signed operation of the wallet has no final result yet.',
  },
  TRANSACTION_MISMATCH: { status: 400, meaning: 'The signed bytes differ from the prepared message.' },
  DRAFT_EXPIRED: { status: 409, meaning: 'The draft expired. Prepare again.' },
  INDEX_STALE: { status: 503, meaning: 'The index is catching up. Retry shortly.' },
  PROTOCOL_PAUSED: { status: 503, meaning: 'The protocol is paused.' },
  CREDENTIAL_REQUIRED: { status: 409, meaning: 'The wallet has no credential that can prove. Verify first.' },
  CREDENTIAL_EXPIRED: { status: 409, meaning: 'The credential has expired. Verify again.' },
  VERIFIER_INACTIVE: { status: 409, meaning: 'The verifier of the credential is not active.' },
  PASS_FEE_UNFUNDED: { status: 409, meaning: 'The pass funds of the rule set cannot cover the pass fee.' },
  PASS_FEE_UNSET: { status: 503, meaning: 'Governance has not set the pass fee yet.' },
  MINT_NOT_BINDABLE: { status: 409, meaning: 'The mint does not meet the binding profile.' },
  UNSUPPORTED_MINT_EXTENSIONS: {
    status: 400,
    meaning: 'The mint has extensions outside the binding profile.',
  },
  TOKEN_ACCOUNT_NOT_FOUND: {
    status: 409,
    meaning: 'A token account does not exist at finalized commitment yet.',
  },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests. Retry after the seconds in Retry-After.' },
  INVALID_REQUEST: { status: 400, meaning: 'The service cannot take this request.' },
  PROOF_INVALID: { status: 400, meaning: 'The proof does not verify for this wallet, rule set and expiry.' },
  NOT_ISSUER: { status: 403, meaning: 'The wallet is not the issuer of the mint.' },
  NOT_FOUND: { status: 404, meaning: 'There is no such thing for this wallet.' },
  MINT_NOT_BOUND: { status: 409, meaning: 'The mint is not bound to a rule set.' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The request body is too large.' },
  INTERNAL: { status: 500, meaning: 'The service failed. Report the request id.' },
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

/** Limits of the interface (SPEC.md section 8 and what it leaves open). */

/** Seconds for which an unsigned draft can be submitted. */
export const DRAFT_LIFETIME_SECONDS = 90;
/** Seconds for which a sign-in challenge can be answered. */
export const CHALLENGE_LIFETIME_SECONDS = 300;
/** Seconds for which a session lasts, from sign-in. */
export const SESSION_LIFETIME_SECONDS = 12 * 60 * 60;
/** Characters that an `Idempotency-Key` may have. */
export const IDEMPOTENCY_KEY_PATTERN = /^[A-Za-z0-9_-]{8,100}$/;
/** Bytes that a request body may have. */
export const MAX_BODY_BYTES = 32_768;
/** Clauses that a rule set may have. */
export const MAX_CLAUSES = 8;
/** Whole years that a clause in a request may ask for; the chain would take 255, which nobody meets. */
export const MAX_MIN_AGE = 120;
/** Seconds that the longest life of a pass can be set to: the program's bounds, here for clients that have no part of it loaded yet. */
export const PASS_AGE_SECONDS = { least: 3_600n, most: 31_622_400n } as const;
/** Records on one page of `GET /api/rules`: by default and at most. */
export const RULES_PAGE = { default: 100, max: 500 } as const;
/**
 * Passes, rule sets and mint bindings that `GET /api/passport` holds at most, of each: anybody can bind mints to somebody's
 * rule set, and so would make another's answer as long as they like.
 */
export const MAX_PASSPORT_RECORDS = 200;
/** Seconds by which a webhook timestamp may differ from the server's clock. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Seconds for which a verification session can be completed. */
export const VERIFICATION_SESSION_LIFETIME_SECONDS = 60 * 60;
/** Header that carries the idempotency key. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Header that carries the request id in every response. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Limits of the interface (SPEC.md section 8, and limits for what it leaves open). */

/** Lifetime of an unsigned draft, in seconds. */
export const DRAFT_LIFETIME_SECONDS = 90;
/** Lifetime of a sign-in challenge, in seconds. */
export const CHALLENGE_LIFETIME_SECONDS = 300;
/** Lifetime of a session from sign-in, in seconds. */
export const SESSION_LIFETIME_SECONDS = 12 * 60 * 60;
/** The pattern that an `Idempotency-Key` must match. */
export const IDEMPOTENCY_KEY_PATTERN = /^[A-Za-z0-9_-]{8,100}$/;
/** Largest size of a request body, in bytes. */
export const MAX_BODY_BYTES = 32_768;
/** Largest number of clauses in a rule set. */
export const MAX_CLAUSES = 8;
/** Highest limit of the wallets of each person. */
export const MAX_WALLETS_PER_PERSON = 255;
/** Highest age that a clause in a request can require, in whole years. The chain accepts up to 255, which nobody can meet. */
export const MAX_MIN_AGE = 120;
/** Bounds of `maxPassAgeSeconds`, in seconds. The program has the same bounds; this copy is for clients that have not loaded its code. */
export const PASS_AGE_SECONDS = { least: 3_600n, most: 31_622_400n } as const;
/** Number of records on one page of `GET /api/rules`: the default and the maximum. */
export const RULES_PAGE = { default: 100, max: 500 } as const;
/**
 * Largest number of passes, of rule sets and of mint bindings in `GET /api/passport`. Without a limit, anyone could bind
 * mints to another wallet's rule set and make that wallet's response as long as they like.
 */
export const MAX_PASSPORT_RECORDS = 200;
/** Largest difference between a webhook timestamp and the server's clock, in seconds. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Lifetime of a verification session, in seconds. */
export const VERIFICATION_SESSION_LIFETIME_SECONDS = 60 * 60;
/** Seconds after its end for which a verification session that is in review waits for the result. */
export const REVIEW_SECONDS = 30 * 24 * 60 * 60;
/** Seconds for which an event is kept, delivered or not. */
export const EVENT_LIFETIME_SECONDS = 30 * 24 * 60 * 60;
/** Longest notice before a pass expires, in seconds. A pass that lives less than twice as long gets half of its life. */
export const PASS_NOTICE_SECONDS = 24 * 60 * 60;
/** Header that carries the idempotency key. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Header that carries the request id in every response. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

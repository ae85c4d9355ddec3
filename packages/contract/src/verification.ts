/** Verification sessions and revocations: their states and the only transitions between states. */

/** The states of a verification session, as the wallet's own reads tell them (SPEC.md section 2). */
export const VERIFICATION_STATES = ['STARTED', 'ISSUING', 'ISSUED', 'FAILED'] as const;
/** The state of a verification session. */
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** Every transition that there is of a verification session; the first state is the one that it begins in. */
export const VERIFICATION_TRANSITIONS = {
  STARTED: ['ISSUING', 'FAILED'],
  ISSUING: ['ISSUED', 'FAILED'],
  ISSUED: [],
  FAILED: [],
} as const satisfies Record<VerificationState, readonly VerificationState[]>;

/**
 * Every transition that there is of a revocation; the first state is the one that it begins in. REVOKING: it goes on chain.
 * WATCHING: the wallet has no credential of this verifier on chain, and one that was signed up to the revocation's time may
 * still come; it goes on chain then. SETTLED: none can come any more, until the verifier revokes up to a later time.
 */
export const REVOCATION_TRANSITIONS = {
  REVOKING: ['WATCHING', 'SETTLED'],
  WATCHING: ['REVOKING'],
  SETTLED: ['REVOKING'],
} as const;
/** The state of a revocation. */
export type RevocationState = keyof typeof REVOCATION_TRANSITIONS;

/** Verification sessions and revocations: their states and the only transitions between states. */

/** The states of a verification session, as `GET /api/passport` returns them (SPEC.md section 2). */
export const VERIFICATION_STATES = ['STARTED', 'ISSUING', 'ISSUED', 'FAILED'] as const;
/** The state of a verification session. */
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** Every allowed transition of a verification session. A session begins in the first state. */
export const VERIFICATION_TRANSITIONS = {
  STARTED: ['ISSUING', 'FAILED'],
  ISSUING: ['ISSUED', 'FAILED'],
  ISSUED: [],
  FAILED: [],
} as const satisfies Record<VerificationState, readonly VerificationState[]>;

/**
 * Every allowed transition of a revocation. A revocation begins in the first state.
 *
 * - REVOKING: the service is putting the revocation on chain.
 * - WATCHING: nothing is left to revoke, or the verifier is inactive. A credential that was signed before the revocation's
 *   time can still arrive, for example when governance activates the verifier again. The service revokes it then.
 * - SETTLED: no such credential can arrive any more, unless the verifier revokes up to a later time.
 */
export const REVOCATION_TRANSITIONS = {
  REVOKING: ['WATCHING', 'SETTLED'],
  WATCHING: ['REVOKING'],
  SETTLED: ['REVOKING'],
} as const;
/** The state of a revocation. */
export type RevocationState = keyof typeof REVOCATION_TRANSITIONS;

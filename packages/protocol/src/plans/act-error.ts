/** Why an issuer or a creator cannot act, in codes of the service. */
export type ActProblem =
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'NOT_CREATOR'
  | 'POWER_NOT_GIVEN'
  | 'PASS_NOT_SUSPENDED'
  | 'PASS_NOT_GRANTED'
  | 'PASS_SUSPENDED'
  | 'PASS_PROVED'
  | 'RECOVERY_NOT_ENABLED';

/** Is thrown by the checks of RECOVER, REDEEM, SUSPEND and GRANT. The message says what is wrong, then what to do. */
export class ActError extends Error {
  override readonly name = 'ActError';
  readonly code: ActProblem;
  constructor(code: ActProblem, message: string) {
    super(message);
    this.code = code;
  }
}

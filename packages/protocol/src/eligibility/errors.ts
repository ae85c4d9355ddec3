/** Codes of the errors of the eligibility arithmetic. They are stable: branch on a code, never on a message. */
export type EligibilityErrorCode =
  /** A clause or a list of clauses that no rule set can hold. */
  | 'CLAUSE_INVALID'
  /** Not a calendar date of the years 1900 to 2155, or not a date code. */
  | 'DATE_INVALID'
  /** An attribute of the witness is outside its range. */
  | 'WITNESS_INVALID'
  /** A part of the context (rule set, wallet, expiry, day) is outside its range. */
  | 'CONTEXT_INVALID'
  /** Not a field element: negative, or not below the order of the field. */
  | 'FIELD_OUT_OF_RANGE'
  /** Not a Groth16 proof on bn128, or not its 256 bytes. */
  | 'PROOF_MALFORMED'
  /** Not a Groth16 verifying key on bn128 with one public signal. */
  | 'VERIFYING_KEY_MALFORMED'
  /** Not an artifact manifest of the expected shape. */
  | 'MANIFEST_INVALID'
  /** No clause of the rule set holds for the attributes. */
  | 'NOT_ELIGIBLE';

/**
 * The only error that this folder throws.
 *
 * A message names the field and what to do. It never contains an attribute's value, a salt or a proof, so it may be logged.
 */
export class EligibilityError extends Error {
  override readonly name = 'EligibilityError';
  readonly code: EligibilityErrorCode;

  constructor(code: EligibilityErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

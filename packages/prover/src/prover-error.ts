/** Why a proof was not made or not verified. The codes are those of the SDK. */
export type ProverErrorCode =
  /** The signal of the caller was aborted. */
  | 'ABORTED'
  /** The module is not that of `proverModule`, the bytes are not a compact key, or a statement is malformed. */
  | 'ARTIFACTS_INVALID'
  /** The witness does not fit the key, the prover stopped, or there is too little memory. */
  | 'PROVER_FAILED'
  /** `crypto.getRandomValues` is missing or does not work. */
  | 'UNSUPPORTED_PLATFORM';

/** An error of the prover. It never contains a part of a witness. */
export class ProverError extends Error {
  override readonly name = 'ProverError';
  readonly code: ProverErrorCode;

  constructor(code: ProverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A failure of the SDK's own prover. snarkjs can still make the proof. */
export class OwnProverFailure extends Error {
  override readonly name = 'OwnProverFailure';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

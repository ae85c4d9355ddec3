/** The prover's side of the worker thread. */
import type { ProofProgress } from '../progress.ts';
import { OwnProverFailure } from './own-prover-failure.ts';
import { isMistakeOfProver, isUnsupported, type MakeProofOptions } from './proof-steps.ts';
import type { FromProver, ProofRequest, ProverKind } from './thread-messages.ts';

/** The prover's connection to the thread that started it. */
export interface ProverPort<K extends ProverKind> {
  send(message: FromProver): void;
  listen(onRequest: (request: ProofRequest<K>) => void): void;
}

/** A module that makes proofs: `own/make-proof.ts` or `snarkjs/make-proof.ts`. */
export interface ProverModule<K extends ProverKind> {
  prepareToProve(): Promise<void>;
  makeProof(
    input: ProofRequest<K>['input'],
    artifacts: ProofRequest<K>['artifacts'],
    options: MakeProofOptions,
  ): Promise<Uint8Array>;
  /** Frees the memory as soon as nothing uses it. */
  release(): void;
}

/** Prepares the prover, reports that it is ready, and makes every proof that is requested. */
export async function serveProofs<K extends ProverKind>(
  { prepareToProve, makeProof }: ProverModule<K>,
  { send, listen }: ProverPort<K>,
): Promise<void> {
  // The witness calculator prints the input that it rejects. This thread must print nothing.
  for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => {};

  listen(async ({ input, artifacts }) => {
    try {
      const onProgress = (progress: ProofProgress) => send({ type: 'progress', progress });
      send({ type: 'proof', proof: await makeProof(input, artifacts, { onProgress }) });
    } catch (error) {
      send(failureOf(error));
    }
  });
  try {
    await prepareToProve();
    send({ type: 'ready' });
  } catch (error) {
    send(failureOf(error));
  }
}

function failureOf(error: unknown): FromProver {
  const { message, cause } = error as Error;
  return {
    type: 'failure',
    message,
    cause: cause instanceof Error ? cause.message : undefined,
    trySnarkjs: error instanceof OwnProverFailure,
    isMistake: isMistakeOfProver(error),
    isUnsupported: isUnsupported(error),
  };
}

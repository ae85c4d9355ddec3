/** The prover's side of the worker thread. */
import type { ProofProgress } from '../progress.ts';
import { makeProof, prepareToProve } from './make-proof.ts';
import type { FromProver, ProofRequest } from './thread-messages.ts';

/** The prover's connection to the thread that started it. */
export interface ProverPort {
  send(message: FromProver): void;
  listen(onRequest: (request: ProofRequest) => void): void;
}

/** Prepares the prover, reports that it is ready, and makes every proof that is requested. */
export async function serveProofs({ send, listen }: ProverPort): Promise<void> {
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
  return { type: 'failure', message, cause: cause instanceof Error ? cause.message : undefined };
}

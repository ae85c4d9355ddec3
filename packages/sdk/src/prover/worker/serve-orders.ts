/** The prover's side of the thread. */

import type { ProofProgress } from '../progress.ts';
import { makeProof, prepareToProve } from './make-proof.ts';
import type { ProofOrder, ProverSaid } from './thread-messages.ts';

/** The prover's end of the line to the thread that started it. */
export interface OrderLine {
  say(message: ProverSaid): void;
  listen(onOrder: (order: ProofOrder) => void): void;
}

/** Gets ready, says so, and makes every proof that is ordered. */
export async function serveOrders({ say, listen }: OrderLine): Promise<void> {
  // The witness calculator prints what it refuses, and this thread prints nothing.
  for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => {};

  listen(async ({ input, artifacts }) => {
    try {
      const onProgress = (progress: ProofProgress) => say({ said: 'progress', progress });
      say({ said: 'proof', proof: await makeProof(input, artifacts, { onProgress }) });
    } catch (error) {
      say(failureOf(error));
    }
  });
  try {
    await prepareToProve();
    say({ said: 'ready' });
  } catch (error) {
    say(failureOf(error));
  }
}

function failureOf(error: unknown): ProverSaid {
  const { message, cause } = error as Error;
  return { said: 'failure', message, cause: cause instanceof Error ? cause.message : undefined };
}

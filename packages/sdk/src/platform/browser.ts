import type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

/**
 * Starts the prover's worker.
 *
 * @throws when there are no workers, or the page's policy forbids this one; where a browser says so by an event,
 *   `onEnd` is called
 */
export function startProverWorker({ onMessage, onEnd }: ProverWorkerListener): ProverWorker {
  // In this very form, so that bundlers find the worker and bundle it.
  const worker = new Worker(new URL('./prover-worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('error', (event) => {
    // It is told to the caller by a code; the page's own error handlers have nothing to add.
    event.preventDefault();
    onEnd(event.message);
  });
  worker.addEventListener('messageerror', () => onEnd('a message could not be read'));
  return {
    post: (message) => worker.postMessage(message),
    keepAlive: () => {},
    terminate: async () => worker.terminate(),
  };
}

/** There are no local files in a browser. */
export async function readLocalFile(_: {
  readonly directory: string;
  readonly name: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}): Promise<Uint8Array> {
  throw new Error('local files can be read in Node only: give artifactsFrom a url instead');
}

import type { ProverKind } from '../worker/thread-messages.ts';
import type { LocalFile } from './local-file.ts';
import type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

export { loadNativeSupport, PROVER_MODULES } from '../worker/prover-modules.ts';

/**
 * Starts the worker of a prover.
 *
 * @throws Error if the browser has no workers or the page's policy forbids this one. Some browsers send an event instead,
 *   which calls `onEnd`.
 */
export function startProverWorker(
  kind: ProverKind,
  { onMessage, onEnd }: ProverWorkerListener,
): ProverWorker {
  // Bundlers find the workers only in exactly this form.
  const worker =
    kind === 'own'
      ? new Worker(new URL('./prover-worker.js', import.meta.url), { type: 'module' })
      : new Worker(new URL('./snarkjs-worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('error', (event) => {
    // The caller gets an error code, so the page's error handlers need not run.
    event.preventDefault();
    onEnd(event.message);
  });
  worker.addEventListener('messageerror', () => onEnd('a message could not be read'));
  return {
    post: (message, transferred) => worker.postMessage(message, transferred),
    keepAlive: () => {},
    terminate: async () => worker.terminate(),
  };
}

/** Throws Error, because a browser has no local files. */
export async function readLocalFile(_: LocalFile): Promise<Uint8Array> {
  throw new Error('Local files can be read only in Node. Pass a url to artifactsFrom instead.');
}

import { type ProverModule, serveProofs } from '../worker/serve-proofs.ts';
import type { ProverKind } from '../worker/thread-messages.ts';

/** Makes proofs for the page that started this worker. */
export function servePage<K extends ProverKind>(prover: ProverModule<K>): void {
  void serveProofs(prover, {
    send: (message) => globalThis.postMessage(message),
    listen: (onRequest) => globalThis.addEventListener('message', ({ data }) => onRequest(data)),
  });
}

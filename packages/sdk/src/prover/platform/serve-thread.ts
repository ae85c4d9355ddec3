import { parentPort } from 'node:worker_threads';
import { type ProverModule, serveProofs } from '../worker/serve-proofs.ts';
import type { ProverKind } from '../worker/thread-messages.ts';

/** Makes proofs for the thread of Node that started this one. */
export function serveThread<K extends ProverKind>(prover: ProverModule<K>): void {
  const port = parentPort;
  if (!port) return;
  void serveProofs(prover, {
    send: (message) => port.postMessage(message),
    listen: (onRequest) => port.on('message', onRequest),
  });
}

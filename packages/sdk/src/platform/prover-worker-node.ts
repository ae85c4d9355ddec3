/** Makes the proofs in a worker thread of Node, so that the caller's thread stays free. */
import { parentPort } from 'node:worker_threads';
import { serveProofs } from '../prover/worker/serve-proofs.ts';

const port = parentPort;
if (port) {
  void serveProofs({
    send: (message) => port.postMessage(message),
    listen: (onRequest) => port.on('message', onRequest),
  });
}

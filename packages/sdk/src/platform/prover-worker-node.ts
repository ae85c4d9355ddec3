/** Runs as a worker thread of Node: makes the proofs, so that the caller's thread stays free. */
import { parentPort } from 'node:worker_threads';
import { serveOrders } from '../prover/worker/serve-orders.ts';

const port = parentPort;
if (port) {
  void serveOrders({
    say: (message) => port.postMessage(message),
    listen: (onOrder) => port.on('message', onOrder),
  });
}

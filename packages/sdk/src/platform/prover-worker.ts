/** Runs as a browser's module worker: makes the proofs, so that the page's thread stays free. */
import { serveOrders } from '../prover/worker/serve-orders.ts';

void serveOrders({
  say: (message) => globalThis.postMessage(message),
  listen: (onOrder) => globalThis.addEventListener('message', ({ data }) => onOrder(data)),
});

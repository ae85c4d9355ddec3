/** Makes the proofs in a module worker of a browser, so that the page's thread stays free. */
import { serveProofs } from '../prover/worker/serve-proofs.ts';

void serveProofs({
  send: (message) => globalThis.postMessage(message),
  listen: (onRequest) => globalThis.addEventListener('message', ({ data }) => onRequest(data)),
});

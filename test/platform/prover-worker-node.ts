/** The prover's worker on the oldest platform. Reports each proof, because a page would make one without a worker too. */
import { parentPort } from 'node:worker_threads';
import { removeNewer } from './remove.ts';

const port = parentPort!;
const proofs = new BroadcastChannel('proofs');
const post = port.postMessage.bind(port);
port.postMessage = (message: { readonly type?: string }, ...rest: []) => {
  if (message.type === 'proof') proofs.postMessage(message.type);
  post(message, ...rest);
};
removeNewer();
await import('prover-worker');

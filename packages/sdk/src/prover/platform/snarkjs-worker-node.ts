/** Makes the proofs with snarkjs in a worker thread of Node, so that the caller's thread stays free. */
import * as prover from '../worker/snarkjs/make-proof.ts';
import { serveThread } from './serve-thread.ts';

serveThread(prover);

/** Makes the proofs with the SDK's own prover in a worker thread of Node, so that the caller's thread stays free. */
import * as prover from '../worker/own/make-proof.ts';
import { serveThread } from './serve-thread.ts';

serveThread(prover);

/**
 * The code that differs between Node and browsers. The build replaces this file with `#platform`, and `imports` of
 * package.json chooses one of the two. The sources use the code for Node.
 */
export { readLocalFile, startProverWorker } from './node.ts';
export type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

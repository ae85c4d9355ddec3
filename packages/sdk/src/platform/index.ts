/**
 * What differs between Node and browsers. The build puts `#platform` in the place of this file, and package.json's
 * `imports` decide which of the two it is; from the sources it is Node's.
 */
export { readLocalFile, startProverWorker } from './node.ts';
export type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

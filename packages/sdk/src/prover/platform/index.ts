/**
 * The code that differs between Node, browsers and React Native. The build replaces this file with `#platform`, and
 * `imports` of package.json chooses one of the three. The sources use the code for Node.
 */
export { loadNativeSupport, PROVER_MODULES, readLocalFile, startProverWorker } from './node.ts';
export type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

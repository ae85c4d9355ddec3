/** What only a proof needs: the prover, and the code that loads and checks artifacts. load-prover.ts loads this chunk. */
export { artifactsFrom, fetchManifest } from '../prover/artifact-source/artifacts-from.ts';
export * from '../prover/index.ts';
export { usableArtifacts } from './usable-artifacts.ts';

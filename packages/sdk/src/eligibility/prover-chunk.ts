/** Exports what only a proof needs: the prover and the loader of artifacts. load-prover.ts loads this chunk. */
export { artifactsFrom, fetchManifest } from '../prover/artifact-source/artifacts-from.ts';
export * from '../prover/index.ts';
export { usableArtifacts } from './usable-artifacts.ts';

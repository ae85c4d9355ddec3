export { artifactsFrom } from '../prover/artifact-source/artifacts-from.ts';

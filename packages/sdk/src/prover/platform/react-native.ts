/** React Native: Hermes has no WebAssembly and no workers, and Metro can bundle neither snarkjs nor `import.meta`. */
import type { NativeSupport, ProverModules } from '../worker/prover-modules.ts';
import type { ProverWorker } from './prover-worker-api.ts';

/** React Native runs neither prover of the SDK. The caller passes a native prover. */
export const PROVER_MODULES: ProverModules | undefined = undefined;

/** Loads what a native prover needs. */
export const loadNativeSupport = (): Promise<NativeSupport> => import('../without-wasm/native-support.ts');

/** Throws Error, because React Native has no workers. */
export function startProverWorker(): ProverWorker {
  throw new Error('React Native has no workers.');
}

/** Throws Error, because React Native has no API for local files. */
export async function readLocalFile(): Promise<Uint8Array> {
  throw new Error('Local files can be read only in Node. Pass a url to artifactsFrom instead.');
}

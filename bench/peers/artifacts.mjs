/** The artifacts of Semaphore at depth 10, as files. */
import { fileURLToPath } from 'node:url';

const pathOf = (kind) =>
  fileURLToPath(import.meta.resolve(`@zk-kit/semaphore-artifacts/semaphore-10.${kind}`));

/** Returns the paths of the witness calculator and of the proving key. */
export function artifactFiles() {
  return { wasm: pathOf('wasm'), zkey: pathOf('zkey') };
}

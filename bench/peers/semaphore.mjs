/** Semaphore v4 at depth 10, used as its documentation shows. */
import { fileURLToPath } from 'node:url';

const DEPTH = 10;
const artifact = (kind) =>
  fileURLToPath(import.meta.resolve(`@zk-kit/semaphore-artifacts/semaphore-${DEPTH}.${kind}`));

/** Imports Semaphore. Returns a function that makes what a proof needs, which returns a function that proves. */
export async function importPeer() {
  const [{ Group }, { Identity }, { generateProof }] = await Promise.all([
    import('@semaphore-protocol/group'),
    import('@semaphore-protocol/identity'),
    import('@semaphore-protocol/proof'),
  ]);
  return async () => {
    const identity = new Identity('bench');
    const group = new Group([1n, 2n, identity.commitment, 3n]);
    const files = { wasm: artifact('wasm'), zkey: artifact('zkey') };
    let scope = 0n;
    return async () => {
      scope += 1n;
      await generateProof(identity, group, 1n, scope, DEPTH, files);
    };
  };
}

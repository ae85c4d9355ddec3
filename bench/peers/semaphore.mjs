/** Semaphore v4 at depth 10, used as its documentation shows. */
const DEPTH = 10;
/** Imports Semaphore. Returns a function that takes the paths or URLs of the artifacts, and returns a function that proves. */
export async function importPeer() {
  const [{ Group }, { Identity }, { generateProof }] = await Promise.all([
    import('@semaphore-protocol/group'),
    import('@semaphore-protocol/identity'),
    import('@semaphore-protocol/proof'),
  ]);
  return async (artifacts) => {
    const identity = new Identity('bench');
    const group = new Group([1n, 2n, identity.commitment, 3n]);
    let scope = 0n;
    return async () => {
      scope += 1n;
      await generateProof(identity, group, 1n, scope, DEPTH, artifacts);
    };
  };
}

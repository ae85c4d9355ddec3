/** A native prover for tests: snarkjs in a thread of its own, which gets the bytes and returns a real proof. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NativeProof, NativeProver } from '../../../src/prover/native/native-prover.ts';

const THREAD = `
const { parentPort } = require('node:worker_threads');
const { curves, groth16 } = require('snarkjs');
parentPort.once('message', async ({ zkey, wtns }) => {
  // Without threads of its own. snarkjs finds its curve in this global.
  globalThis.curve_bn128 = await curves.getCurveFromName('bn128', { singleThread: true });
  const { proof, publicSignals } = await groth16.prove(zkey, wtns);
  parentPort.postMessage(JSON.stringify({ proof, publicSignals }));
});
`;

/** Makes each proof in a new thread, to which the bytes are transferred. An abort ends the thread. */
export const snarkjsInThread: NativeProver = {
  async prove({ zkey, calculateWitness, signal, onProgress }) {
    // web-worker, a dependency of snarkjs, treats every thread as its own and runs \`mod\` in it. Run nothing.
    const thread = new Worker(THREAD, { eval: true, workerData: { mod: 'data:text/javascript,' } });
    try {
      const wtns = calculateWitness();
      thread.postMessage({ zkey, wtns }, [zkey.buffer as ArrayBuffer, wtns.buffer as ArrayBuffer]);
      onProgress(0.5);
      const [text] = (await once(thread, 'message', { signal })) as [string];
      // rapidsnark, too, returns JSON as text.
      return JSON.parse(text) as NativeProof;
    } finally {
      await thread.terminate();
    }
  },
};

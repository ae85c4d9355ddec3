/**
 * Runs the bundle of Metro after the removal of what Hermes and React Native lack. What remains are globals of React Native,
 * and the polyfills that packages/sdk/README.md names. Its parameter is a JSON file with what it runs. Prints the address of
 * the pass.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { visit } from '../consumer/visit.js';

/** The path of the bundle, the deployment, and the globals and members to remove. */
const { bundle, deployment, removed } = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));

/** The native module: rapidsnark takes base64, and returns JSON. A thread has its own globals. */
const NATIVE = `
const { parentPort } = require('node:worker_threads');
const { curves, groth16 } = require('snarkjs');
const bytes = (base64) => Buffer.from(base64, 'base64');
parentPort.on('message', async ([zkey, wtns]) => {
  globalThis.curve_bn128 ??= await curves.getCurveFromName('bn128', { singleThread: true });
  const { proof, publicSignals } = await groth16.prove(bytes(zkey), bytes(wtns));
  parentPort.postMessage({ proof: JSON.stringify(proof), pub_signals: JSON.stringify(publicSignals) });
});
`;
// web-worker, a dependency of snarkjs, treats every thread as its own and runs `mod` in it. Run nothing.
const native = new Worker(NATIVE, { eval: true, workerData: { mod: 'data:text/javascript,' } });

async function groth16Prove(zkey: string, wtns: string) {
  native.postMessage([zkey, wtns]);
  return (await once(native, 'message'))[0];
}

const { log } = console;
// Node's own fetch needs WebAssembly when it first runs.
await (await fetch(`${deployment.baseUrl}/api/health/live`)).text();
for (const name of removed as string[]) {
  const path = name.split('.');
  const last = path.pop()!;
  const owner = path.reduce<unknown>(
    (of, part) => (of as Record<string, unknown> | undefined)?.[part],
    globalThis,
  );
  if (owner) Reflect.deleteProperty(owner, last);
}
if ('WebAssembly' in globalThis) throw new Error('WebAssembly was not removed');
// The signals of React Native have no reason.
Object.defineProperty(AbortSignal.prototype, 'reason', { get: () => undefined });
Object.assign(globalThis, { deployment, groth16Prove, visit, navigator: { product: 'ReactNative' } });
runInThisContext(readFileSync(bundle, 'utf8'), { filename: bundle });
log(await globalThis.app);
await native.terminate();

/** Runs circom once, in a thread of its own. scripts/circom.ts starts it. */
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { bindings, CircomRunner } from 'circom2';

const { module, directory, args } = workerData;
let output = '';

/** Keeps what circom prints. It writes its files as usual. */
function writeSync(file, bytes, offset, length, ...rest) {
  if (file !== 1 && file !== 2) return fs.writeSync(file, bytes, offset, length, ...rest);
  output += Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString();
  return length;
}

const { wasi } = new CircomRunner({
  args,
  env: {},
  // circom reads and writes only in this folder.
  preopens: { '.': directory },
  bindings: { ...bindings, path, fs: { ...fs, writeSync } },
});
const instance = await WebAssembly.instantiate(module, wasi.getImports(module));
let failure = null;
try {
  wasi.start(instance);
} catch (error) {
  // circom ends by an exception, which has the exit code.
  if (error.code !== 0) failure = String(error);
}
parentPort.postMessage({ output, failure });

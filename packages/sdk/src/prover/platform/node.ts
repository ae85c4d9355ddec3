import { open } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ProverKind } from '../worker/thread-messages.ts';
import type { LocalFile } from './local-file.ts';
import type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

export { loadNativeSupport, PROVER_MODULES } from '../worker/prover-modules.ts';

/**
 * Limits the space for new objects of a worker, in MB. A proof needs little of it, but Node would let it grow to 48 MB.
 * Bun ignores the limit and prints a warning.
 */
const SMALL_HEAP = process.versions.bun ? {} : { resourceLimits: { maxYoungGenerationSizeMb: 2 } };

/**
 * Starts the worker thread of a prover.
 *
 * @throws Error if the process may not start threads. A missing file, as next to the sources, calls `onEnd`.
 */
export function startProverWorker(
  kind: ProverKind,
  { onMessage, onEnd }: ProverWorkerListener,
): ProverWorker {
  const file = kind === 'own' ? './prover-worker-node.js' : './snarkjs-worker-node.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    // Flags of the main program, such as `--input-type` or a loader, do not fit this file.
    execArgv: [],
    ...SMALL_HEAP,
    // web-worker, a dependency of snarkjs, treats every thread as its own and runs `mod` in it. Run nothing.
    workerData: { mod: 'data:text/javascript,' },
  });
  worker.on('message', onMessage);
  worker.on('messageerror', onEnd);
  worker.on('error', onEnd);
  worker.on('exit', () => onEnd(undefined));
  return {
    post: (message, transferred) => worker.postMessage(message, transferred),
    keepAlive: (alive) => (alive ? worker.ref() : worker.unref()),
    terminate: async () => void (await worker.terminate()),
  };
}

/**
 * Reads a file of a directory.
 *
 * @throws Error if the file is missing, cannot be read, or is too large
 */
export async function readLocalFile({ directory, name, limit, signal }: LocalFile): Promise<Uint8Array> {
  const file = await open(path.join(directory, name));
  try {
    const { size } = await file.stat();
    if (size > limit) throw new Error(`${name} has ${size} bytes, more than ${limit}`);
    const { buffer, byteOffset, length } = await file.readFile({ signal });
    return new Uint8Array(buffer, byteOffset, length);
  } finally {
    await file.close();
  }
}

import { open } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ProverWorker, ProverWorkerListener } from './prover-worker-api.ts';

/**
 * Starts the prover's worker thread.
 *
 * @throws when the process may start none; a file that is missing, as beside the sources, is told by `onEnd`
 */
export function startProverWorker({ onMessage, onEnd }: ProverWorkerListener): ProverWorker {
  const worker = new Worker(new URL('./prover-worker-node.js', import.meta.url), {
    // The flags of the main program, as `--input-type` or a loader, are not for this file.
    execArgv: [],
    // web-worker, which snarkjs brings, takes every thread for one of its own and asks what to run in it: nothing.
    workerData: { mod: 'data:text/javascript,' },
  });
  worker.on('message', onMessage);
  worker.on('messageerror', onEnd);
  worker.on('error', onEnd);
  worker.on('exit', () => onEnd(undefined));
  return {
    post: (message) => worker.postMessage(message),
    keepAlive: (alive) => (alive ? worker.ref() : worker.unref()),
    terminate: async () => void (await worker.terminate()),
  };
}

/**
 * Reads a file of a directory.
 *
 * @param limit bytes; a larger file is refused before it is read
 * @throws Error when the file is missing, unreadable or too large
 */
export async function readLocalFile({
  directory,
  name,
  limit,
  signal,
}: {
  readonly directory: string;
  readonly name: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}): Promise<Uint8Array> {
  const file = await open(path.join(directory, name));
  try {
    const { size } = await file.stat();
    if (size > limit) throw new Error(`${name} has ${size} bytes, of at most ${limit}`);
    return new Uint8Array(await file.readFile({ signal }));
  } finally {
    await file.close();
  }
}

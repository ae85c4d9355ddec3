import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const require = createRequire(import.meta.url);
const THREAD = new URL('./circom-thread.mjs', import.meta.url);

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Compiled once for all runs, because its 9 MB take as long as one run. */
let module: Promise<object> | undefined;

/**
 * Runs circom2 on the files of a folder, which its paths are relative to. Returns what it prints.
 *
 * Each run has a thread of its own. circom grows its memory in thousands of steps, and V8 collects garbage at many of them,
 * which takes long in a thread that has other data.
 *
 * @throws Error with the printed text if circom fails
 */
export async function runCircom(directory: string, args: readonly string[]): Promise<string> {
  module ??= readFile(require.resolve('circom2/circom.wasm')).then(WebAssembly.compile);
  const thread = new Worker(THREAD, { workerData: { module: await module, directory, args }, execArgv: [] });
  const [{ output, failure }] = (await once(thread, 'message')) as [
    { output: string; failure: string | null },
  ];
  await thread.terminate();
  if (failure !== null) throw new Error(`circom2 ${args.join(' ')} failed: ${failure}\n${output}`);
  return output;
}

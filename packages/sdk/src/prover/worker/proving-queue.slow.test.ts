import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundleForNode } from '../../../test/support/prover/bundle.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { WORKER_SILENCE_MS, WORKER_START_MS } from '../bounds.ts';
import type { ProofPhase, ProofProgress } from '../progress.ts';
import type { ProofControl } from './prover.ts';
import type { ProvingArtifacts } from './proving-queue.ts';

type Proving = typeof import('../../../test/support/prover/proving.ts');

let bundle: Bundle;
let copies: string;
let proving: Proving;
/** Every worker that Node started. */
let workers: Worker[] = [];
/** How many proofs workers made. */
let madeByWorkers = 0;
const onWorker = (worker: Worker) => {
  workers.push(worker);
  worker.on('message', ({ type }) => {
    if (type === 'proof') madeByWorkers += 1;
  });
};

beforeAll(async () => {
  process.on('worker', onWorker);
  bundle = await bundleForNode('proving.ts');
  copies = path.join(path.dirname(bundle.directory), 'copies');
  await mkdir(copies);
});
beforeEach(async () => {
  proving = await load();
  workers = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await proving.disposeProver();
});
afterAll(async () => {
  process.off('worker', onWorker);
  await bundle.remove();
});

/** Loads a separate prover: with another file of a worker if it is passed, without one for null. */
async function load(worker?: string | null, name = 'prover-worker-node.js'): Promise<Proving> {
  const directory = await mkdtemp(path.join(copies, 'prover-'));
  await cp(bundle.directory, directory, { recursive: true, verbatimSymlinks: true });
  const file = path.join(directory, name);
  if (worker === null) await rm(file);
  if (typeof worker === 'string') await writeFile(file, worker);
  return import(/* @vite-ignore */ pathToFileURL(path.join(directory, 'program.mjs')).href);
}

const following = { signal: undefined, onProgress: () => {} };

/** Makes a proof from artifacts and returns whether this thread made it. */
async function proveFrom(artifacts: ProvingArtifacts, control: ProofControl = following) {
  const before = madeByWorkers;
  const proof = await proving.proveInTurn(proving.input, artifacts, control);
  return { length: proof.length, here: madeByWorkers === before };
}

const prove = (onProgress = (_: ProofProgress): unknown => undefined, signal?: AbortSignal) =>
  proveFrom(ownFiles(), { signal, onProgress });

/** The files for the SDK's own prover. Nothing is loaded for snarkjs. */
const ownFiles = () => ({
  files: proving.artifacts,
  loadForSnarkjs: () => Promise.reject(new Error('nothing is to be loaded for snarkjs')),
});

/** The files for snarkjs. */
const snarkjsFiles = () => ({ ...proving.artifacts, compactKey: undefined });

/** Makes a proof, and aborts it when it reports a phase. Returns the reported phases. */
async function abortIn(phase: ProofPhase): Promise<string[]> {
  const controller = new AbortController();
  const phases: string[] = [];
  const made = prove((progress) => {
    phases.push(progress.phase);
    if (progress.phase === phase) controller.abort(reason);
  }, controller.signal);
  await expect(made).rejects.toThrow(aborted);
  return phases;
}

const exited = (worker: Worker | undefined) => new Promise((resolve) => worker!.once('exit', resolve));
const failed = (retryable: boolean) => serviceError('PROVER_FAILED', { retryable });
const reason = new Error('the person closed the dialog');
const aborted = serviceError('ABORTED', { cause: reason });
const byWorker = { length: 256, here: false };
const byThisThread = { length: 256, here: true };

describe('a proof', () => {
  it('is made in a worker, keeps this thread free, and reports every phase up to 1', async () => {
    const reports: ProofProgress[] = [];
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const made = await prove((report) => reports.push(report));
    clearInterval(turning);
    expect(made).toEqual(byWorker);
    expect(workers).toHaveLength(1);
    expect(turns).toBeGreaterThan(20);
    const order = ['prover', 'witness', 'proof', 'verification'];
    const places = reports.map(({ phase, fraction }) => order.indexOf(phase) + fraction / 2);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const last = new Map(reports.map(({ phase, fraction }) => [phase, fraction]));
    expect([...last]).toEqual(order.map((phase) => [phase, 1]));
    expect(reports.filter(({ phase }) => phase === 'proof').length).toBeGreaterThan(5);
    expect(reports.at(-1)).toEqual({ phase: 'verification', fraction: 1 });
  });

  it('shares the worker with concurrent and later proofs', async () => {
    await proving.startProver('own', undefined);
    const made = await Promise.all([prove(), prove()]);
    expect([...made, await prove()]).toEqual(Array(3).fill(byWorker));
    expect(workers).toHaveLength(1);
  });

  it('is finished before disposeProver ends the worker', async () => {
    const made = prove();
    const disposed = proving.disposeProver();
    expect(await made).toEqual(byWorker);
    await Promise.all([disposed, exited(workers[0])]);
    expect(await prove()).toMatchObject({ length: 256 });
    expect(workers).toHaveLength(2);
  });

  it('rejects with a code if the prover rejects it, and the next one is made', async () => {
    const wrong = { ...proving.input, region: '39' };
    await expect(proving.proveInTurn(wrong, ownFiles(), following)).rejects.toThrow(failed(false));
    expect(await prove()).toMatchObject({ length: 256 });
    expect(workers).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('before the start does not start a worker', async () => {
    await expect(prove(undefined, AbortSignal.abort(reason))).rejects.toThrow(aborted);
    expect(workers).toHaveLength(0);
  });

  it('during the start ends the worker', async () => {
    const controller = new AbortController();
    const made = prove(undefined, controller.signal);
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    const ended = exited(workers[0]);
    controller.abort(reason);
    await expect(made).rejects.toThrow(aborted);
    await ended;
    await proving.startProver('own', undefined);
    expect(workers).toHaveLength(2);
  });

  it('in any phase ends the worker, and the next proof starts another', async () => {
    for (const phase of ['prover', 'witness', 'proof', 'verification'] as const) {
      const phases = await abortIn(phase);
      expect([phases.at(-1), phases.indexOf(phase)]).toEqual([phase, phases.length - 1]);
    }
    expect(await prove()).toEqual(byWorker);
    expect(workers).toHaveLength(5);
  });

  it('during another proof ends only the wait', async () => {
    const controller = new AbortController();
    const first = prove(({ phase }) => phase === 'proof' && controller.abort(reason));
    const second = prove(undefined, controller.signal);
    await expect(second).rejects.toThrow(aborted);
    expect(await first).toEqual(byWorker);
    expect(workers).toHaveLength(1);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await prove(undefined, signal);
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  it('without a worker ends the proof before its next part', async () => {
    proving = await load(null);
    const phases = abortIn('witness');
    const next = prove();
    expect(await phases).toEqual(['prover', 'witness']);
    expect(await next).toEqual(byThisThread);
  });
});

describe('a worker', () => {
  it('that ends fails its proof, and the next proof starts another', async () => {
    const stopped = prove(({ phase, fraction }) => {
      if (phase === 'proof' && fraction > 0) void workers[0]?.terminate();
    });
    await expect(stopped).rejects.toThrow(failed(true));
    expect(await prove()).toEqual(byWorker);
    expect(workers).toHaveLength(2);
  });

  it('whose file is missing is replaced by this thread until disposeProver', async () => {
    proving = await load(null);
    expect(await prove()).toEqual(byThisThread);
    await proving.startProver('own', undefined);
    expect(workers).toHaveLength(1);
    await proving.disposeProver();
    await proving.startProver('own', undefined);
    expect(workers).toHaveLength(2);
  });

  const importPort = "import { parentPort } from 'node:worker_threads';";
  /** Returns the code of a worker that starts, and runs a statement for each request. */
  const readyWorker = (statement: string) =>
    `${importPort} parentPort.postMessage({ type: 'ready' }); parentPort.on('message', () => { ${statement} });`;

  it.each([
    ['throws', 'throw new Error("no");'],
    ['ends', ''],
    ['cannot use WebAssembly', `${importPort} parentPort.postMessage({ type: 'failure', message: 'no' });`],
  ])('that %s at its start is replaced by this thread', async (_, code) => {
    proving = await load(code);
    await proving.startProver('own', undefined);
    await proving.startProver('own', undefined);
    expect(workers).toHaveLength(1);
  });

  it('without random numbers makes no proof, and neither does snarkjs', async () => {
    const failure = "{ type: 'failure', message: 'No numbers.', isUnsupported: true, trySnarkjs: true }";
    proving = await load(readyWorker(`parentPort.postMessage(${failure})`));
    await expect(prove()).rejects.toThrow(serviceError('UNSUPPORTED_PLATFORM', { retryable: false }));
    expect(workers).toHaveLength(1);
  });

  it('that ends at its first request is replaced by this thread until disposeProver', async () => {
    proving = await load(readyWorker("throw new Error('no')"));
    expect(await prove()).toEqual(byThisThread);
    expect(await prove()).toEqual(byThisThread);
    expect(workers).toHaveLength(1);
  });

  it('that never becomes ready is replaced by this thread after WORKER_START_MS', async () => {
    proving = await load('setInterval(() => {}, 1000);');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = prove();
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    const ended = exited(workers[0]);
    await vi.advanceTimersByTimeAsync(WORKER_START_MS);
    vi.useRealTimers();
    expect(await made).toEqual(byThisThread);
    await ended;
  });

  it('that sends nothing for WORKER_SILENCE_MS fails its proof and is ended', async () => {
    const progress = "{ type: 'progress', progress: { phase: 'witness', fraction: 0 } }";
    proving = await load(readyWorker(`parentPort.postMessage(${progress})`));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const phases: string[] = [];
    const made = prove(({ phase }) => phases.push(phase));
    made.catch(() => {});
    await vi.waitFor(() => expect(phases).toEqual(['witness']));
    const ended = exited(workers[0]);
    // vi.waitFor also advances the clock a little.
    await vi.advanceTimersByTimeAsync(WORKER_SILENCE_MS - 1000);
    expect(workers[0]?.threadId).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(made).rejects.toThrow(failed(true));
    await ended;
  });
});

describe('snarkjs', () => {
  /** A compact key that can be read, and whose proofs do not verify. */
  const wrongKey = () => {
    const key = Uint8Array.from(proving.artifacts.compactKey);
    // Replaces alpha by beta.
    return key.copyWithin(24, 88, 152);
  };

  it('proves in its own worker from artifacts without a compact key', async () => {
    expect(await proveFrom({ ...ownFiles(), files: snarkjsFiles() })).toEqual(byWorker);
    expect(workers).toHaveLength(1);
  });

  it.each<[string, () => Uint8Array]>([
    ['a proof that does not verify', wrongKey],
    ['a key that cannot be read', () => proving.artifacts.compactKey.subarray(1)],
    ['a key of the earlier format', () => proving.artifacts.compactKey.with(7, 0x31)],
  ])('proves after %s', async (_, compactKey) => {
    const loadForSnarkjs = vi.fn(async () => snarkjsFiles());
    const artifacts = { files: { ...proving.artifacts, compactKey: compactKey() }, loadForSnarkjs };
    expect(await proveFrom(artifacts)).toEqual(byWorker);
    expect(loadForSnarkjs).toHaveBeenCalledOnce();
    expect(workers).toHaveLength(2);
    expect(await prove()).toEqual(byWorker);
  });

  it('proves on this thread if its worker does not start', async () => {
    proving = await load(null, 'snarkjs-worker-node.js');
    expect(await proveFrom({ ...ownFiles(), files: snarkjsFiles() })).toEqual(byThisThread);
  });

  it('is not asked for an input without a witness, nor after an abort', async () => {
    const loadForSnarkjs = vi.fn(async () => snarkjsFiles());
    const artifacts = { files: proving.artifacts, loadForSnarkjs };
    const wrong = { ...proving.input, region: '39' };
    await expect(proving.proveInTurn(wrong, artifacts, following)).rejects.toThrow(failed(false));
    const controller = new AbortController();
    const onProgress = ({ phase }: ProofProgress) => phase === 'proof' && controller.abort(reason);
    const stopping = proveFrom(artifacts, { signal: controller.signal, onProgress });
    await expect(stopping).rejects.toThrow(aborted);
    expect(loadForSnarkjs).not.toHaveBeenCalled();
  });

  it('needs wasm and zkey of the source', async () => {
    const { wasm: _, ...files } = snarkjsFiles();
    await expect(proveFrom({ ...ownFiles(), files })).rejects.toThrow(serviceError('ARTIFACTS_INVALID'));
  });
});

describe('a proof after an aborted one of another prover', () => {
  /** Proves with snarkjs, then with the own prover, aborts that after some milliseconds, and returns the next proof. */
  async function proofAfterAbort(ms: number): Promise<Uint8Array> {
    await proveFrom({ ...ownFiles(), files: snarkjsFiles() });
    const other = await proving.circuitInput({
      ...proving.facts,
      attributes: proving.attributes,
      expiresAt: proving.facts.expiresAt + 1n,
    });
    const controller = new AbortController();
    const stopped = proving.proveInTurn(other, ownFiles(), { ...following, signal: controller.signal });
    const next = proving.proveInTurn(proving.input, ownFiles(), following);
    setTimeout(() => controller.abort(reason), ms);
    await expect(stopped).rejects.toThrow(aborted);
    return next;
  }

  it.each([0, 1, 4, 16])('is its own, when the abort comes after %d ms', async (ms) => {
    const proof = await proofAfterAbort(ms);
    const { input, artifacts, verifyProof } = proving;
    await expect(verifyProof(proof, BigInt(input.contextHash), artifacts.vkey)).resolves.toBe(true);
  });

  it('does not wait for the files of snarkjs that another proof loads', async () => {
    const files = { ...proving.artifacts, compactKey: proving.artifacts.compactKey.subarray(1) };
    const loadForSnarkjs = vi.fn(() => new Promise<never>(() => {}));
    proveFrom({ files, loadForSnarkjs }).catch(() => {});
    await vi.waitFor(() => expect(loadForSnarkjs).toHaveBeenCalled(), { timeout: 10_000 });
    expect(await prove()).toEqual(byWorker);
  });
});

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundleForNode } from '../../../test/support/prover/bundle.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { WORKER_SILENCE_MS, WORKER_START_MS } from '../bounds.ts';
import type { ProofPhase, ProofProgress } from '../progress.ts';

type Proving = typeof import('../../../test/support/prover/proving.ts');

let bundle: Bundle;
let copies: string;
let proving: Proving;
/** Every worker that Node started. */
let workers: Worker[] = [];
const onWorker = (worker: Worker) => workers.push(worker);

beforeAll(async () => {
  process.on('worker', onWorker);
  bundle = await bundleForNode('proving.ts');
  copies = await mkdtemp(path.join(tmpdir(), 'provers-'));
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
  await rm(copies, { recursive: true });
});

/** Loads a separate prover: with another worker file if it is passed, without one for null. */
async function load(worker?: string | null): Promise<Proving> {
  const directory = await mkdtemp(path.join(copies, 'prover-'));
  await cp(bundle.directory, directory, { recursive: true, verbatimSymlinks: true });
  const file = path.join(directory, 'prover-worker-node.js');
  if (worker === null) await rm(file);
  if (typeof worker === 'string') await writeFile(file, worker);
  return import(/* @vite-ignore */ pathToFileURL(path.join(directory, 'program.mjs')).href);
}

/** Makes a proof and returns whether this thread made it. */
async function prove(onProgress = (_: ProofProgress): unknown => undefined, signal?: AbortSignal) {
  let here = false;
  const proof = await proving.proveInTurn(proving.input, proving.artifacts, {
    signal,
    onProgress: (progress) => {
      here ||= Boolean((globalThis as { curve_bn128?: unknown }).curve_bn128);
      onProgress(progress);
    },
  });
  return { length: proof.length, here };
}

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
    await proving.startProver(undefined);
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
    const { input, artifacts } = proving;
    const wrong = { ...input, contextHash: '1' };
    const following = { signal: undefined, onProgress: () => {} };
    await expect(proving.proveInTurn(wrong, artifacts, following)).rejects.toThrow(failed(false));
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
    await proving.startProver(undefined);
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
    await proving.startProver(undefined);
    expect(workers).toHaveLength(1);
    await proving.disposeProver();
    await proving.startProver(undefined);
    expect(workers).toHaveLength(2);
  });

  const importPort = "import { parentPort } from 'node:worker_threads';";

  it.each([
    ['throws', 'throw new Error("no");'],
    ['ends', ''],
    ['cannot use WebAssembly', `${importPort} parentPort.postMessage({ type: 'failure', message: 'no' });`],
  ])('that %s at its start is replaced by this thread', async (_, code) => {
    proving = await load(code);
    await proving.startProver(undefined);
    await proving.startProver(undefined);
    expect(workers).toHaveLength(1);
  });

  it('that ends at its first request is replaced by this thread until disposeProver', async () => {
    proving = await load(
      `${importPort}
       parentPort.postMessage({ type: 'ready' });
       parentPort.on('message', () => { throw new Error('no'); });`,
    );
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
    proving = await load(
      `${importPort}
       parentPort.postMessage({ type: 'ready' });
       parentPort.on('message', () => parentPort.postMessage({ type: 'progress', progress: { phase: 'witness', fraction: 0 } }));`,
    );
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

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundleForNode } from '../../../test/support/prover/bundle.ts';
import { WORKER_SILENCE_MS, WORKER_START_MS } from '../bounds.ts';
import type { ProofPhase, ProofProgress } from '../progress.ts';

type Proving = typeof import('../../../test/support/prover/proving.ts');

// Allow for a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let bundle: Bundle;
let copies: string;
let count = 0;
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
  count += 1;
  const directory = path.join(copies, String(count));
  await cp(bundle.directory, directory, { recursive: true, verbatimSymlinks: true });
  const file = path.join(directory, 'prover-worker-node.js');
  if (worker === null) await rm(file);
  if (typeof worker === 'string') await writeFile(file, worker);
  return import(/* @vite-ignore */ pathToFileURL(path.join(directory, 'program.mjs')).href);
}

interface Followed {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProofProgress) => void;
}

/** Makes a proof and returns whether this thread made it. */
async function prove(with_: Proving, { signal, onProgress = () => {} }: Followed = {}) {
  let here = false;
  const proof = await with_.proveInTurn(with_.input, with_.artifacts, {
    signal,
    onProgress: (progress) => {
      here ||= Boolean((globalThis as { curve_bn128?: unknown }).curve_bn128);
      onProgress(progress);
    },
  });
  return { length: proof.length, here };
}

const failed = (retryable: boolean) =>
  expect.objectContaining({ name: 'ServiceError', code: 'PROVER_FAILED', retryable });
const reason = new Error('the person closed the dialog');
const aborted = expect.objectContaining({ code: 'ABORTED', cause: reason });

describe('a proof', () => {
  it('is made in a worker, keeps this thread free, and reports every phase up to 1', async () => {
    const reports: ProofProgress[] = [];
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const made = await prove(proving, { onProgress: (report) => reports.push(report) });
    clearInterval(turning);
    expect(made).toEqual({ length: 256, here: false });
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
    const made = await Promise.all([prove(proving), prove(proving)]);
    expect([...made, await prove(proving)]).toEqual(Array(3).fill({ length: 256, here: false }));
    expect(workers).toHaveLength(1);
  });

  it('is finished before disposeProver ends the worker', async () => {
    const made = prove(proving);
    const disposed = proving.disposeProver();
    expect(await made).toEqual({ length: 256, here: false });
    const [worker] = workers;
    const exited = new Promise((resolve) => worker!.once('exit', resolve));
    await Promise.all([disposed, exited]);
    expect(await prove(proving)).toMatchObject({ length: 256 });
    expect(workers).toHaveLength(2);
  });

  it('rejects with a code if the prover rejects it, and the next one is made', async () => {
    const { input, artifacts } = proving;
    const wrong = { ...input, contextHash: '1' };
    const following = { signal: undefined, onProgress: () => {} };
    await expect(proving.proveInTurn(wrong, artifacts, following)).rejects.toThrow(failed(false));
    expect(await prove(proving)).toMatchObject({ length: 256 });
    expect(workers).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('before the start does not start a worker', async () => {
    await expect(prove(proving, { signal: AbortSignal.abort(reason) })).rejects.toThrow(aborted);
    expect(workers).toHaveLength(0);
  });

  it('during the start ends the worker', async () => {
    const controller = new AbortController();
    const made = prove(proving, { signal: controller.signal });
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    const exited = new Promise((resolve) => workers[0]!.once('exit', resolve));
    controller.abort(reason);
    await expect(made).rejects.toThrow(aborted);
    await exited;
    await proving.startProver(undefined);
    expect(workers).toHaveLength(2);
  });

  it('in any phase ends the worker, and the next proof starts another', async () => {
    const order: ProofPhase[] = ['prover', 'witness', 'proof', 'verification'];
    for (const at of order) {
      const controller = new AbortController();
      const phases: string[] = [];
      const made = prove(proving, {
        signal: controller.signal,
        onProgress: ({ phase }) => {
          phases.push(phase);
          if (phase === at) controller.abort(reason);
        },
      });
      await expect(made).rejects.toThrow(aborted);
      expect(phases.at(-1)).toBe(at);
      expect(phases.filter((phase) => phase === at)).toHaveLength(1);
    }
    expect(await prove(proving)).toEqual({ length: 256, here: false });
    expect(workers).toHaveLength(5);
  });

  it('during another proof ends only the wait', async () => {
    const controller = new AbortController();
    const first = prove(proving, {
      onProgress: ({ phase }) => phase === 'proof' && controller.abort(reason),
    });
    const second = prove(proving, { signal: controller.signal });
    await expect(second).rejects.toThrow(aborted);
    expect(await first).toEqual({ length: 256, here: false });
    expect(workers).toHaveLength(1);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await prove(proving, { signal });
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  it('without a worker ends the proof before its next part', async () => {
    proving = await load(null);
    const controller = new AbortController();
    const phases: string[] = [];
    const made = prove(proving, {
      signal: controller.signal,
      onProgress: ({ phase }) => {
        phases.push(phase);
        if (phase === 'witness') controller.abort(reason);
      },
    });
    const next = prove(proving);
    await expect(made).rejects.toThrow(aborted);
    expect(await next).toEqual({ length: 256, here: true });
    expect(phases).toEqual(['prover', 'witness']);
  });
});

describe('a worker', () => {
  it('that ends fails its proof, and the next proof starts another', async () => {
    const dying = prove(proving, {
      onProgress: ({ phase, fraction }) => phase === 'proof' && fraction > 0 && void workers[0]?.terminate(),
    });
    await expect(dying).rejects.toThrow(failed(true));
    expect(await prove(proving)).toEqual({ length: 256, here: false });
    expect(workers).toHaveLength(2);
  });

  it('whose file is missing is replaced by this thread until disposeProver', async () => {
    proving = await load(null);
    expect(await prove(proving)).toEqual({ length: 256, here: true });
    await proving.startProver(undefined);
    expect(workers).toHaveLength(1);
    await proving.disposeProver();
    await proving.startProver(undefined);
    expect(workers).toHaveLength(2);
  });

  it.each([
    ['throws', 'throw new Error("no");'],
    ['ends', ''],
    [
      'cannot use WebAssembly',
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ type: 'failure', message: 'no' });",
    ],
  ])('that %s at its start is replaced by this thread', async (_, code) => {
    proving = await load(code);
    await proving.startProver(undefined);
    await proving.startProver(undefined);
    expect(workers).toHaveLength(1);
  });

  it('that never becomes ready is replaced by this thread after WORKER_START_MS', async () => {
    proving = await load('setInterval(() => {}, 1000);');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = prove(proving);
    await vi.waitFor(() => expect(workers).toHaveLength(1));
    const exited = new Promise((resolve) => workers[0]!.once('exit', resolve));
    await vi.advanceTimersByTimeAsync(WORKER_START_MS);
    vi.useRealTimers();
    expect(await made).toEqual({ length: 256, here: true });
    await exited;
  });

  it('that sends nothing for WORKER_SILENCE_MS fails its proof and is ended', async () => {
    proving = await load(
      `import { parentPort } from 'node:worker_threads';
       parentPort.postMessage({ type: 'ready' });
       parentPort.on('message', () => parentPort.postMessage({ type: 'progress', progress: { phase: 'witness', fraction: 0 } }));`,
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const phases: string[] = [];
    const made = prove(proving, { onProgress: ({ phase }) => phases.push(phase) });
    made.catch(() => {});
    await vi.waitFor(() => expect(phases).toEqual(['witness']));
    const exited = new Promise((resolve) => workers[0]!.once('exit', resolve));
    // vi.waitFor also advances the clock a little.
    await vi.advanceTimersByTimeAsync(WORKER_SILENCE_MS - 1000);
    expect(workers[0]?.threadId).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(made).rejects.toThrow(failed(true));
    await exited;
  });
});

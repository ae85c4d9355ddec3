import { circuitInput, decodeProof } from '@service/protocol/eligibility';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { disposeProver, withCurve } from './curve.ts';
import { artifacts, attributes, contextOf, facts, input } from './eligible.fixture.ts';
import type { ProofProgress } from './progress.ts';
import { proveEligibility } from './prove-eligibility.ts';
import { type Curve, NODE_THREAD } from './snarkjs-api.ts';

const shared = globalThis as { curve_bn128?: Curve | null };
const failed = expect.objectContaining({ code: 'PROVER_FAILED' });

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

// The witness calculator reports each refusal on the console as well.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void expect(shared.curve_bn128 ?? null).toBeNull());
afterAll(disposeProver);

/** Whether the committed key verifies a proof's bytes. */
function verify(proof: Uint8Array, context: bigint): Promise<boolean> {
  const key = JSON.parse(new TextDecoder().decode(artifacts.vkey));
  return withCurve(async ({ snarkjs, install }) => {
    install();
    return snarkjs.groth16.verify(key, [context.toString()], decodeProof(proof));
  });
}

describe('proveEligibility', () => {
  it('returns the 256 bytes of a proof that verifies, for the context hash that the chain computes', async () => {
    const { proof, contextHash: context } = await proveEligibility(input, artifacts);
    expect(proof).toHaveLength(256);
    expect(context).toBe(await contextOf(facts));
    expect(await verify(proof, context)).toBe(true);
    expect(await verify(proof, context + 1n)).toBe(false);
  });

  it('reports its phases in order, each rising', async () => {
    const progress: ProofProgress[] = [];
    await proveEligibility(input, artifacts, { onProgress: (report) => progress.push(report) });
    const order = ['prover', 'witness', 'proof', 'verification'];
    const places = progress.map(({ phase, fraction }) => order.indexOf(phase) + fraction / 2);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(progress.map(({ phase }) => phase))).toEqual(new Set(order));
    expect(progress.filter(({ phase }) => phase === 'proof').length).toBeGreaterThan(5);
    expect(progress.at(-1)).toEqual({ phase: 'verification', fraction: 1 });
  });

  it('makes proofs that are asked for at once, each for its own input', async () => {
    const other = { ...facts, wallet: facts.wallet.toReversed() };
    const proofs = await Promise.all([
      proveEligibility(input, artifacts),
      proveEligibility(await circuitInput({ ...other, attributes }), artifacts),
    ]);
    expect(proofs.map((proof) => proof.contextHash)).toEqual([
      await contextOf(facts),
      await contextOf(other),
    ]);
    for (const { proof, contextHash: context } of proofs) expect(await verify(proof, context)).toBe(true);
    expect(await verify(proofs[0].proof, proofs[1].contextHash)).toBe(false);
  });

  it('refuses an input that does not fit the circuit', async () => {
    await expect(proveEligibility({ ...input, region: '39' }, artifacts)).rejects.toThrow(failed);
    await expect(proveEligibility({ ...input, contextHash: '1' }, artifacts)).rejects.toThrow(failed);
  });

  it('refuses a proof that the verifying key does not accept', async () => {
    const key = JSON.parse(new TextDecoder().decode(artifacts.vkey));
    const swapped = { ...key, IC: [...key.IC].reverse() };
    const vkey = new TextEncoder().encode(JSON.stringify(swapped));
    await expect(proveEligibility(input, { ...artifacts, vkey })).rejects.toThrow('does not verify');
  });

  it.each([
    ['witness calculator', { wasm: new Uint8Array(8) }],
    ['proving key', { zkey: artifacts.zkey.subarray(0, 100_000) }],
    ['verifying key', { vkey: new Uint8Array(8) }],
  ])('refuses a broken %s, and proves afterwards', async (_, broken) => {
    await expect(proveEligibility(input, { ...artifacts, ...broken })).rejects.toThrow(failed);
    await proveEligibility(input, artifacts);
  });
});

describe('an abort', () => {
  const reason = new Error('the person closed the dialog');
  const aborted = expect.objectContaining({ code: 'ABORTED', cause: reason });

  it('before the start starts nothing', async () => {
    const onProgress = vi.fn();
    const proving = proveEligibility(input, artifacts, { signal: AbortSignal.abort(reason), onProgress });
    await expect(proving).rejects.toThrow(aborted);
    expect(onProgress).not.toHaveBeenCalled();
  });

  it.each(['witness', 'proof', 'verification'] as const)('in phase %s ends the proof', async (phase) => {
    const controller = new AbortController();
    const phases: string[] = [];
    const proving = proveEligibility(input, artifacts, {
      signal: controller.signal,
      onProgress: (report) => {
        phases.push(report.phase);
        if (report.phase === phase) controller.abort(reason);
      },
    });
    await expect(proving).rejects.toThrow(aborted);
    await withCurve(async () => {});
    if (phase !== 'verification') expect(phases.at(-1)).toBe(phase);
    if (phase === 'proof') expect(phases.filter((seen) => seen === 'proof')).toHaveLength(1);
  });

  it('while another proof is made ends only the wait', async () => {
    const controller = new AbortController();
    const first = proveEligibility(input, artifacts, {
      onProgress: ({ phase }) => phase === 'proof' && controller.abort(reason),
    });
    const second = proveEligibility(input, artifacts, { signal: controller.signal });
    await expect(second).rejects.toThrow(aborted);
    expect((await first).proof).toHaveLength(256);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await proveEligibility(input, artifacts, { signal });
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});

describe('the curve', () => {
  it('of another user of snarkjs is neither used nor ended', async () => {
    await disposeProver();
    const snarkjs = await withCurve(async (lent) => lent.snarkjs);
    await disposeProver();
    const theirs = await snarkjs.curves.getCurveFromName('bn128');
    try {
      const terminate = vi.spyOn(theirs, 'terminate');
      const seen = new Set<unknown>();
      await proveEligibility(input, artifacts, {
        onProgress: ({ phase, fraction }) =>
          phase === 'proof' && fraction > 0 && seen.add(shared.curve_bn128),
      });
      await disposeProver();
      expect(seen.size).toBe(1);
      expect(seen.has(theirs)).toBe(false);
      expect(shared.curve_bn128).toBe(theirs);
      expect(terminate).not.toHaveBeenCalled();
    } finally {
      await theirs.terminate();
    }
  });

  it('survives what another copy of snarkjs does to the global between two proofs', async () => {
    await proveEligibility(input, artifacts);
    shared.curve_bn128 = null;
    await proveEligibility(input, artifacts);
  });

  it('is built anew after a thread has died, and the proof that waited for it fails', async () => {
    const dying = proveEligibility(input, artifacts, {
      onProgress: ({ phase, fraction }) => {
        if (phase !== 'proof' || fraction === 0) return;
        for (const worker of shared.curve_bn128?.tm.workers ?? []) {
          void (worker[NODE_THREAD] as unknown as { terminate(): void }).terminate();
        }
      },
    });
    await expect(dying).rejects.toThrow('thread of the prover ended');
    await proveEligibility(input, artifacts);
  });

  it('has no threads where the platform finds them blocked', async () => {
    vi.resetModules();
    vi.doMock('../platform/index.ts', () => ({ canStartWorkers: async () => false }));
    try {
      const apart = await import('./prove-eligibility.ts');
      const threads: unknown[] = [];
      const { proof } = await apart.proveEligibility(input, artifacts, {
        onProgress: ({ phase, fraction }) =>
          phase === 'proof' && fraction > 0 && threads.push(shared.curve_bn128?.tm.workers),
      });
      expect(proof).toHaveLength(256);
      expect(new Set(threads)).toEqual(new Set([undefined]));
    } finally {
      vi.doUnmock('../platform/index.ts');
      vi.resetModules();
    }
  });

  it('is built once by all who need it at once, and again after disposeProver has ended its threads', async () => {
    await disposeProver();
    const curves = new Set<Curve>();
    const look = ({ install }: { install(): void }) => {
      install();
      if (shared.curve_bn128) curves.add(shared.curve_bn128);
      return Promise.resolve();
    };
    await Promise.all([withCurve(look), withCurve(look), withCurve(look)]);
    expect(curves.size).toBe(1);

    const workers = [...curves].flatMap((curve) => curve.tm.workers ?? []);
    expect(workers.length).toBeGreaterThan(0);
    const ended = workers.map(
      (worker) => new Promise<void>((resolve) => worker.addEventListener('close', resolve)),
    );
    await Promise.all([disposeProver(), disposeProver()]);
    await Promise.all(ended);
    await withCurve(look);
    expect(curves.size).toBe(2);
  });
});

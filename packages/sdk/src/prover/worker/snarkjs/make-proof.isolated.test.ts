import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { artifacts, input } from '../../../../test/support/prover/eligible.ts';
import { withCurve } from './curve.ts';
import { makeProof, release } from './make-proof.ts';
import type { Curve } from './snarkjs-api.ts';

const shared = globalThis as { curve_bn128?: Curve | null };
const quiet = { onProgress: () => {} };

// On this thread the witness calculator also prints each rejection.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void expect(shared.curve_bn128 ?? null).toBeNull());
afterAll(release);

describe('makeProof', () => {
  it('rejects a broken witness calculator, and proves afterwards', async () => {
    await expect(makeProof(input, { ...artifacts, wasm: new Uint8Array(8) }, quiet)).rejects.toThrow();
    expect(await makeProof(input, artifacts, quiet)).toHaveLength(256);
  });
});

describe('the curve', () => {
  it('of another user of snarkjs is neither used nor removed', async () => {
    const snarkjs = await withCurve(async (lent) => lent.snarkjs);
    // Another user makes it with threads.
    const theirs = await (snarkjs.curves.getCurveFromName as (name: string) => Promise<Curve>)('bn128');
    try {
      const seen = new Set<unknown>();
      await makeProof(input, artifacts, {
        onProgress: ({ phase, fraction }) =>
          void (phase === 'proof' && fraction > 0 && fraction < 1 && seen.add(shared.curve_bn128)),
      });
      release();
      expect(seen.size).toBe(1);
      expect(seen.has(theirs)).toBe(false);
      expect(shared.curve_bn128).toBe(theirs);
    } finally {
      await theirs.terminate();
    }
  });

  it('can be removed from the global by another copy of snarkjs between two proofs', async () => {
    await makeProof(input, artifacts, quiet);
    shared.curve_bn128 = null;
    await makeProof(input, artifacts, quiet);
  });

  it('starts no threads, and is built once for concurrent callers, and again after release', async () => {
    release();
    const curves = new Set<Curve>();
    const look = async ({ install }: { install(): void }) => {
      install();
      if (shared.curve_bn128) curves.add(shared.curve_bn128);
    };
    await Promise.all([withCurve(look), withCurve(look), withCurve(look)]);
    expect(curves.size).toBe(1);
    expect([...curves].map((curve) => curve.tm.workers)).toEqual([undefined]);
    release();
    await withCurve(look);
    expect(curves.size).toBe(2);
  });
});

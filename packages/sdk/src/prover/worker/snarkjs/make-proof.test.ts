import { circuitInput, decodeProof } from '@service/protocol/eligibility';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { artifacts, attributes, contextOf, facts, input } from '../../../../test/support/prover/eligible.ts';
import type { ProofProgress } from '../../progress.ts';
import { withCurve } from './curve.ts';
import { makeProof, release } from './make-proof.ts';
import type { Curve } from './snarkjs-api.ts';

const shared = globalThis as { curve_bn128?: Curve | null };
const quiet = { onProgress: () => {} };

// On this thread the witness calculator also prints each rejection.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void expect(shared.curve_bn128 ?? null).toBeNull());
afterAll(release);

const verifyingKey = JSON.parse(new TextDecoder().decode(artifacts.vkey));

/** Returns whether the committed key verifies a proof. */
function verify(proof: Uint8Array, context: bigint): Promise<boolean> {
  return withCurve(async ({ snarkjs, install }) => {
    install();
    return snarkjs.groth16.verify(verifyingKey, [context.toString()], decodeProof(proof));
  });
}

describe('makeProof', () => {
  it('returns 256 bytes that verify for the context hash that the chain computes', async () => {
    const proof = await makeProof(input, artifacts, quiet);
    expect(proof).toHaveLength(256);
    const context = await contextOf(facts);
    expect(await verify(proof, context)).toBe(true);
    expect(await verify(proof, context + 1n)).toBe(false);
  });

  it('makes concurrent proofs, each for its own input', async () => {
    const other = { ...facts, wallet: facts.wallet.toReversed() };
    const [first, second] = await Promise.all([
      makeProof(input, artifacts, quiet),
      makeProof(await circuitInput({ ...other, attributes }), artifacts, quiet),
    ]);
    expect(await verify(first, await contextOf(facts))).toBe(true);
    expect(await verify(second, await contextOf(other))).toBe(true);
    expect(await verify(first, await contextOf(other))).toBe(false);
  });

  it('rejects an input that does not fit the circuit', async () => {
    for (const change of [{ region: '39' }, { contextHash: '1' }]) {
      const proving = makeProof({ ...input, ...change }, artifacts, quiet);
      await expect(proving).rejects.toThrow('does not fit the circuit');
    }
  });

  it('rejects a proof that the verifying key rejects', async () => {
    const swapped = { ...verifyingKey, IC: verifyingKey.IC.toReversed() };
    const vkey = new TextEncoder().encode(JSON.stringify(swapped));
    await expect(makeProof(input, { ...artifacts, vkey }, quiet)).rejects.toThrow('does not verify');
  });

  it.each([
    ['witness calculator', { wasm: new Uint8Array(8) }],
    ['proving key', { zkey: artifacts.zkey.subarray(0, 100_000) }],
    ['verifying key', { vkey: new Uint8Array(8) }],
  ])('rejects a broken %s, and proves afterwards', async (_, broken) => {
    await expect(makeProof(input, { ...artifacts, ...broken }, quiet)).rejects.toThrow();
    expect(await makeProof(input, artifacts, quiet)).toHaveLength(256);
  });

  it.each(['witness', 'proof'])('can be stopped after the phase %s', async (phase) => {
    const reports: ProofProgress[] = [];
    const proving = makeProof(input, artifacts, {
      onProgress: (report) => reports.push(report),
      throwIfStopped: () => {
        if (reports.some((report) => report.phase === phase)) throw new Error('stopped');
      },
    });
    await expect(proving).rejects.toThrow('stopped');
    expect(reports.at(-1)?.phase).toBe(phase);
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

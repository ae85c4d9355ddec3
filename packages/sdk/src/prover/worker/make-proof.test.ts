import { circuitInput, decodeProof } from '@service/protocol/eligibility';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { artifacts, attributes, contextOf, facts, input } from '../../../test/support/prover/eligible.ts';
import type { ProofProgress } from '../progress.ts';
import { withCurve } from './curve.ts';
import { dropCurve, makeProof } from './make-proof.ts';
import type { Curve, Snarkjs } from './snarkjs-api.ts';

const shared = globalThis as { curve_bn128?: Curve | null };
const quiet = { onProgress: () => {} };

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

// On this thread the witness calculator reports each refusal on the console as well.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void expect(shared.curve_bn128 ?? null).toBeNull());
afterAll(dropCurve);

/** Whether the committed key verifies a proof's bytes. */
function verify(proof: Uint8Array, context: bigint): Promise<boolean> {
  const key = JSON.parse(new TextDecoder().decode(artifacts.vkey));
  return withCurve(async ({ snarkjs, install }) => {
    install();
    return snarkjs.groth16.verify(key, [context.toString()], decodeProof(proof));
  });
}

describe('makeProof', () => {
  it('gives the 256 bytes of a proof that verifies, for the context hash that the chain computes', async () => {
    const proof = await makeProof(input, artifacts, quiet);
    expect(proof).toHaveLength(256);
    const context = await contextOf(facts);
    expect(await verify(proof, context)).toBe(true);
    expect(await verify(proof, context + 1n)).toBe(false);
  });

  it('makes proofs that are asked for at once, each for its own input', async () => {
    const other = { ...facts, wallet: facts.wallet.toReversed() };
    const [first, second] = await Promise.all([
      makeProof(input, artifacts, quiet),
      makeProof(await circuitInput({ ...other, attributes }), artifacts, quiet),
    ]);
    expect(await verify(first, await contextOf(facts))).toBe(true);
    expect(await verify(second, await contextOf(other))).toBe(true);
    expect(await verify(first, await contextOf(other))).toBe(false);
  });

  it('refuses an input that does not fit the circuit', async () => {
    const refused = 'does not fit the circuit';
    await expect(makeProof({ ...input, region: '39' }, artifacts, quiet)).rejects.toThrow(refused);
    await expect(makeProof({ ...input, contextHash: '1' }, artifacts, quiet)).rejects.toThrow(refused);
  });

  it('refuses a proof that the verifying key does not accept', async () => {
    const key = JSON.parse(new TextDecoder().decode(artifacts.vkey));
    const swapped = { ...key, IC: [...key.IC].reverse() };
    const vkey = new TextEncoder().encode(JSON.stringify(swapped));
    await expect(makeProof(input, { ...artifacts, vkey }, quiet)).rejects.toThrow('does not verify');
  });

  it.each([
    ['witness calculator', { wasm: new Uint8Array(8) }],
    ['proving key', { zkey: artifacts.zkey.subarray(0, 100_000) }],
    ['verifying key', { vkey: new Uint8Array(8) }],
  ])('refuses a broken %s, and proves afterwards', async (_, broken) => {
    await expect(makeProof(input, { ...artifacts, ...broken }, quiet)).rejects.toThrow();
    expect(await makeProof(input, artifacts, quiet)).toHaveLength(256);
  });

  it.each(['witness', 'proof'])('can be stopped before it does more than %s', async (phase) => {
    const reports: ProofProgress[] = [];
    const throwIfStopped = () => {
      if (reports.some((report) => report.phase === phase)) throw new Error('stopped');
    };
    const proving = makeProof(input, artifacts, {
      onProgress: (report) => reports.push(report),
      throwIfStopped,
    });
    await expect(proving).rejects.toThrow('stopped');
    expect(reports.at(-1)?.phase).toBe(phase);
  });
});

describe('the curve', () => {
  it('of another user of snarkjs is neither used nor taken away', async () => {
    const snarkjs = await withCurve(async (lent) => lent.snarkjs);
    // As they would make it: with threads.
    const getCurve = snarkjs.curves.getCurveFromName as (
      name: 'bn128',
    ) => ReturnType<Snarkjs['curves']['getCurveFromName']>;
    const theirs = await getCurve('bn128');
    try {
      const seen = new Set<unknown>();
      await makeProof(input, artifacts, {
        onProgress: ({ phase, fraction }) =>
          void (phase === 'proof' && fraction > 0 && fraction < 1 && seen.add(shared.curve_bn128)),
      });
      dropCurve();
      expect(seen.size).toBe(1);
      expect(seen.has(theirs)).toBe(false);
      expect(shared.curve_bn128).toBe(theirs);
    } finally {
      await theirs.terminate();
    }
  });

  it('survives what another copy of snarkjs does to the global between two proofs', async () => {
    await makeProof(input, artifacts, quiet);
    shared.curve_bn128 = null;
    await makeProof(input, artifacts, quiet);
  });

  it('starts no threads, and is built once by all who need it at once, and again after dropCurve', async () => {
    dropCurve();
    const curves = new Set<Curve>();
    const look = async ({ install }: { install(): void }) => {
      install();
      if (shared.curve_bn128) curves.add(shared.curve_bn128);
    };
    await Promise.all([withCurve(look), withCurve(look), withCurve(look)]);
    expect(curves.size).toBe(1);
    expect([...curves].map((curve) => curve.tm.workers)).toEqual([undefined]);
    dropCurve();
    await withCurve(look);
    expect(curves.size).toBe(2);
  });
});

import { circuitInput, decodeProof } from '@service/protocol/eligibility';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { artifacts, attributes, contextOf, facts, input } from '../../../../test/support/prover/eligible.ts';
import type { ProofProgress } from '../../progress.ts';
import { OwnProverFailure } from '../own-prover-failure.ts';
import { withCurve } from '../snarkjs/curve.ts';
import { makeProof, prepareToProve, release } from './make-proof.ts';

const files = { compactKey: artifacts.compactKey, vkey: artifacts.vkey };
const quiet = { onProgress: () => {} };
const verifyingKey = JSON.parse(new TextDecoder().decode(artifacts.vkey));

afterAll(release);

/** Returns whether snarkjs verifies a proof with the committed key. */
function verify(proof: Uint8Array, context: bigint): Promise<boolean> {
  return withCurve(async ({ snarkjs, install }) => {
    install();
    return snarkjs.groth16.verify(verifyingKey, [context.toString()], decodeProof(proof));
  });
}

describe('makeProof', () => {
  it('returns 256 bytes that snarkjs verifies for the context hash that the chain computes', async () => {
    const proof = await makeProof(input, files, quiet);
    expect(proof).toHaveLength(256);
    const context = await contextOf(facts);
    expect(await verify(proof, context)).toBe(true);
    expect(await verify(proof, context + 1n)).toBe(false);
  });

  it('makes concurrent proofs, each for its own input', async () => {
    const other = { ...facts, wallet: facts.wallet.toReversed() };
    const [first, second] = await Promise.all([
      makeProof(input, files, quiet),
      makeProof(await circuitInput({ ...other, attributes }), files, quiet),
    ]);
    expect(await verify(first, await contextOf(facts))).toBe(true);
    expect(await verify(second, await contextOf(other))).toBe(true);
    expect(await verify(first, await contextOf(other))).toBe(false);
  });

  it('rejects an input that does not fit the circuit', async () => {
    for (const change of [{ region: '39' }, { contextHash: '1' }]) {
      const proving = makeProof({ ...input, ...change }, files, quiet);
      await expect(proving).rejects.toThrow('does not fit the circuit');
      await expect(proving).rejects.not.toBeInstanceOf(OwnProverFailure);
    }
  });

  it.each([
    [
      'a verifying key with swapped points',
      { vkey: change({ IC: verifyingKey.IC.toReversed() }) },
      'not verify',
    ],
    ['a verifying key off the curve', { vkey: change({ vk_alpha_1: ['1', '1', '1'] }) }, 'not be verified'],
    [
      'a verifying key for two signals',
      { vkey: change({ IC: [...verifyingKey.IC, verifyingKey.IC[0]] }) },
      'not be',
    ],
    ['a broken verifying key', { vkey: new Uint8Array(8) }, 'not be verified'],
    ['a broken compact key', { compactKey: files.compactKey.subarray(0, 100_000) }, 'not be made'],
  ])('rejects %s, and proves afterwards', async (_, broken, message) => {
    const proving = makeProof(input, { ...files, ...broken }, quiet);
    await expect(proving).rejects.toBeInstanceOf(OwnProverFailure);
    await expect(proving).rejects.toThrow(message);
    expect(await makeProof(input, files, quiet)).toHaveLength(256);
  });

  it.each(['witness', 'proof'])('can be stopped after the phase %s', async (phase) => {
    const reports: ProofProgress[] = [];
    const stop = new Error('stopped');
    const proving = makeProof(input, files, {
      onProgress: (report) => reports.push(report),
      throwIfStopped: () => {
        if (reports.some((report) => report.phase === phase)) throw stop;
      },
    });
    await expect(proving).rejects.toBe(stop);
    expect(reports.at(-1)?.phase).toBe(phase);
  });

  it('overwrites the witness, also after a failure', async () => {
    const filled = vi.spyOn(Uint8Array.prototype, 'fill');
    const wires = () =>
      filled.mock.contexts.filter((array) => (array as Uint8Array).length === 1399 * 32) as Uint8Array[];
    await makeProof(input, files, quiet);
    await makeProof(input, { ...files, compactKey: new Uint8Array(8) }, quiet).catch(() => {});
    vi.restoreAllMocks();
    expect(wires()).toHaveLength(2);
    for (const array of wires()) expect(array.some((byte) => byte !== 0)).toBe(false);
  });

  it('reads a key once, and another key again', async () => {
    release();
    const starting = vi.spyOn(WebAssembly, 'instantiate');
    await makeProof(input, files, quiet);
    await makeProof(input, { ...files, compactKey: Uint8Array.from(files.compactKey) }, quiet);
    expect(starting).toHaveBeenCalledTimes(1);
    await makeProof(input, { ...files, compactKey: files.compactKey.with(-1, 0) }, quiet).catch(() => {});
    expect(starting).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });

  it('names what a page must allow where WebAssembly is forbidden', async () => {
    vi.resetModules();
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('blocked by the policy'));
    const other = await import('./make-proof.ts');
    await expect(other.prepareToProve()).rejects.toThrow('wasm-unsafe-eval');
    vi.restoreAllMocks();
    await other.prepareToProve();
    await prepareToProve();
  });
});

/** Returns the verifying key with some fields changed. */
function change(fields: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...verifyingKey, ...fields }));
}

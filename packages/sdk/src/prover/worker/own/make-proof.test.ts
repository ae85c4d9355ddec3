import { afterAll, describe, expect, it, vi } from 'vitest';
import { artifacts, ownArtifacts as files, input } from '../../../../test/support/prover/eligible.ts';
import { OwnProverFailure } from '../own-prover-failure.ts';
import { makeProof, prepareToProve, release } from './make-proof.ts';

const quiet = { onProgress: () => {} };
const verifyingKey = JSON.parse(new TextDecoder().decode(artifacts.vkey));

afterAll(release);

describe('makeProof', () => {
  it.each([
    ['off the curve', { vk_alpha_1: ['1', '1', '1'] }],
    ['for two signals', { IC: [...verifyingKey.IC, verifyingKey.IC[0]] }],
  ])('rejects a verifying key %s', async (_, fields) => {
    const vkey = new TextEncoder().encode(JSON.stringify({ ...verifyingKey, ...fields }));
    const proving = makeProof(input, { ...files, vkey }, quiet);
    await expect(proving).rejects.toBeInstanceOf(OwnProverFailure);
    await expect(proving).rejects.toThrow('not be verified');
  });

  it('rejects a compact key of the earlier format', async () => {
    const compactKey = files.compactKey.with('bn254k0'.length, '1'.charCodeAt(0));
    const proving = makeProof(input, { ...files, keyHash: 'another', compactKey }, quiet);
    await expect(proving).rejects.toBeInstanceOf(OwnProverFailure);
  });

  it('overwrites the witness and its rows, also after a failure', async () => {
    const filled = vi.spyOn(Uint8Array.prototype, 'fill');
    const filledOf = (numbers: number) =>
      filled.mock.contexts.filter((array) => (array as Uint8Array).length === numbers * 32) as Uint8Array[];
    await makeProof(input, files, quiet);
    const broken = { ...files, keyHash: 'another', compactKey: new Uint8Array(8) };
    await makeProof(input, broken, quiet).catch(() => {});
    vi.restoreAllMocks();
    const [wires, rows] = [filledOf(1664), filledOf(1660)];
    expect([wires.length, rows.length]).toEqual([2, 2 * 2]);
    for (const array of [...wires, ...rows]) expect(array.some((byte) => byte !== 0)).toBe(false);
  });

  it('needs a key once, and then only its hash', async () => {
    release();
    // Each verification starts an instance, too.
    const starting = vi.spyOn(WebAssembly, 'instantiate');
    await makeProof(input, files, quiet);
    await makeProof(input, { ...files, compactKey: undefined }, quiet);
    expect(starting).toHaveBeenCalledTimes(1 + 2);
    // Replaces the last point by the second to last.
    const compactKey = Uint8Array.from(files.compactKey).copyWithin(-64, -128);
    const other = { ...files, keyHash: 'another', compactKey };
    await expect(makeProof(input, other, quiet)).rejects.toThrow('does not verify');
    expect(starting).toHaveBeenCalledTimes(2 + 3);
    vi.restoreAllMocks();
  });

  it('rejects a hash whose key it does not have, and proves with the key afterwards', async () => {
    const missing = { ...files, keyHash: 'a third one', compactKey: undefined };
    await expect(makeProof(input, missing, quiet)).rejects.toBeInstanceOf(OwnProverFailure);
    expect(await makeProof(input, files, quiet)).toHaveLength(256);
  });

  it('blames no policy if WebAssembly starts and the prover does not', async () => {
    vi.resetModules();
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new RangeError('out of memory'));
    const other = await import('./make-proof.ts');
    await expect(other.prepareToProve()).rejects.toThrow('Free memory');
    vi.restoreAllMocks();
  });

  it('names what a page must allow where WebAssembly is forbidden', async () => {
    vi.resetModules();
    class Blocked {
      constructor() {
        throw new WebAssembly.CompileError('blocked by the policy');
      }
    }
    vi.spyOn(WebAssembly, 'Module').mockImplementation(Blocked as never);
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('blocked by the policy'));
    const other = await import('./make-proof.ts');
    await expect(other.prepareToProve()).rejects.toThrow('wasm-unsafe-eval');
    vi.restoreAllMocks();
    await other.prepareToProve();
    await prepareToProve();
  });
});

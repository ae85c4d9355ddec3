import { FIELD_ORDER } from '@service/protocol/eligibility';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProver, type Prover, ProverError } from '../src/index.ts';
import { key, module } from './support/artifacts.ts';
import { verifyWithSnarkjs } from './support/reference.ts';
import { inputs, littleEndian, witnessOf } from './support/witness.ts';

const [, input] = inputs[0]!;
const { wires } = await witnessOf(input);
const verify = (proof: object) => verifyWithSnarkjs(proof, String(input.contextHash));
const failure = (code: string) => expect.objectContaining({ name: 'ProverError', code });

/** Starts a prover, and returns the memory of its module too. */
async function withMemory(): Promise<{ prover: Prover; memory: WebAssembly.Memory }> {
  const start = vi.spyOn(WebAssembly, 'instantiate');
  const prover = await createProver(module, key);
  const instance = (await start.mock.results[0]!.value) as unknown as WebAssembly.Instance;
  start.mockRestore();
  return { prover, memory: instance.exports.memory as WebAssembly.Memory };
}

afterEach(() => void vi.restoreAllMocks());

describe('prove', () => {
  it('makes proofs that verify and differ', async () => {
    const prover = await createProver(module, key);
    const before = Uint8Array.from(wires);
    const proofs = [await prover.prove(wires), await prover.prove(wires)];
    for (const proof of proofs) expect(await verify(proof)).toBe(true);
    expect(proofs[0]).not.toEqual(proofs[1]);
    expect(wires).toEqual(before);
  });

  it('makes concurrent proofs one after another', async () => {
    const prover = await createProver(module, key);
    const proofs = await Promise.all([1, 2, 3].map(() => prover.prove(wires)));
    for (const proof of proofs) expect(await verify(proof)).toBe(true);
  });

  it('reports progress from 0 to 1', async () => {
    const prover = await createProver(module, key);
    const fractions: number[] = [];
    await prover.prove(wires, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect([fractions[0], fractions.at(-1), fractions.length]).toEqual([0, 1, 7]);
  });

  it('stops before the next step after an abort, and proves afterwards', async () => {
    const { prover, memory } = await withMemory();
    await prover.prove(wires);
    const idle = Buffer.from(memory.buffer.slice(0));
    for (let last = 0; last < 6; last += 1) {
      const controller = new AbortController();
      let reports = 0;
      const onProgress = () => {
        if (reports === last) controller.abort(new Error('the person left'));
        reports += 1;
      };
      const proving = prover.prove(wires, { signal: controller.signal, onProgress });
      await expect(proving).rejects.toEqual(failure('ABORTED'));
      expect(reports).toBe(last + 1);
      expect(idle.equals(new Uint8Array(memory.buffer))).toBe(true);
    }
    await expect(prover.prove(wires, { signal: AbortSignal.abort() })).rejects.toEqual(failure('ABORTED'));
    expect(await verify(await prover.prove(wires))).toBe(true);
  });

  it('rejects with the error of a listener, and proves afterwards', async () => {
    const prover = await createProver(module, key);
    const bug = new Error('a bug of the page');
    const onProgress = () => {
      throw bug;
    };
    await expect(prover.prove(wires, { onProgress })).rejects.toBe(bug);
    expect(await verify(await prover.prove(wires))).toBe(true);
  });

  it('leaves nothing of a proof in its memory, and needs no more memory for later ones', async () => {
    const { prover, memory } = await withMemory();
    await prover.prove(wires);
    await prover.prove((await witnessOf(inputs[1]![1])).wires);
    const after = Buffer.from(memory.buffer.slice(0));
    await prover.prove(wires);
    // All but the key is overwritten: nothing depends on the witness.
    expect(after.equals(new Uint8Array(memory.buffer))).toBe(true);
    const bytes = Buffer.from(memory.buffer);
    for (let wire = 0; wire < prover.wires; wire += 1) {
      const value = wires.subarray(wire * 32, wire * 32 + 32);
      if (value.filter((byte) => byte !== 0).length > 8)
        expect(bytes.includes(Buffer.from(value))).toBe(false);
    }
    // The highest part held the work.
    expect(bytes.subarray(bytes.length - 2_000_000).some((byte) => byte !== 0)).toBe(false);
    expect(bytes.length).toBeLessThan(8 * 2 ** 20);
  });

  it.each([
    ['too short', wires.subarray(32)],
    ['too long', Uint8Array.of(...wires, ...new Uint8Array(32))],
    ['with a number that is the order', Uint8Array.of(...wires.subarray(32), ...littleEndian(FIELD_ORDER))],
  ])('rejects a witness that is %s, and proves afterwards', async (_, witness) => {
    const prover = await createProver(module, key);
    await expect(prover.prove(witness)).rejects.toEqual(failure('PROVER_FAILED'));
    expect(await verify(await prover.prove(wires))).toBe(true);
  });

  it.each(['begin', 'advance', 'proof'])(
    'rejects if the module stops in %s, and wipes its memory',
    async (name) => {
      const { instantiate } = WebAssembly;
      let memory: WebAssembly.Memory | undefined;
      const stop = () => {
        throw new WebAssembly.RuntimeError('unreachable');
      };
      const starting = vi.spyOn(WebAssembly, 'instantiate');
      starting.mockImplementation((async (...given: Parameters<typeof instantiate>) => {
        const { exports } = (await instantiate(...given)) as unknown as WebAssembly.Instance;
        memory = exports.memory as WebAssembly.Memory;
        // After a trap, wipe stops as well.
        return { exports: { ...exports, [name]: stop, wipe: stop } };
      }) as never);
      const prover = await createProver(module, key);
      const proving = prover.prove(wires);
      await expect(proving).rejects.toEqual(failure('PROVER_FAILED'));
      await expect(proving).rejects.toThrow('stopped');
      expect(new Uint8Array(memory!.buffer).some((byte) => byte !== 0)).toBe(false);
    },
  );

  it('rejects if a point of the proof is infinity', async () => {
    const prover = await createProver(module, key);
    const zero = { r: new Uint8Array(32), s: new Uint8Array(32) };
    const proving = prover.prove(new Uint8Array(wires.length), { randomness: zero });
    await expect(proving).rejects.toEqual(failure('PROVER_FAILED'));
  });
});

describe('r and s', () => {
  it('are drawn again when they are not below the order', async () => {
    const prover = await createProver(module, key);
    const draws = [FIELD_ORDER, 2n ** 256n - 1n, 5n, FIELD_ORDER + 1n, 7n];
    const { length } = draws;
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array).set(littleEndian(draws.shift()!));
      return bytes;
    });
    const drawn = await prover.prove(wires);
    expect(crypto.getRandomValues).toHaveBeenCalledTimes(length);
    vi.restoreAllMocks();
    const randomness = { r: littleEndian(5n), s: littleEndian(7n) };
    expect(await prover.prove(wires, { randomness })).toEqual(drawn);
  });
});

describe('createProver', () => {
  it.each([
    ['empty', new Uint8Array()],
    ['cut off', key.subarray(0, -1)],
    ['too long', Buffer.concat([key, Buffer.alloc(1)])],
    ['of another version', key.with(7, 0x39)],
    ['of a huge domain', key.with(16, 40)],
    ['with a coordinate that is not below the prime', key.with(40 + 31, 0xff)],
    ['with a wire that does not exist', key.with(key.length - 1, 0xff)],
    ['with an infinite delta', withZeros(168, 232)],
    ['with an infinite delta of the second group', withZeros(360, 488)],
  ])('rejects a key that is %s', async (_, broken) => {
    await expect(createProver(module, broken)).rejects.toEqual(failure('ARTIFACTS_INVALID'));
  });

  it('rejects another module', async () => {
    const empty = await WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    await expect(createProver(empty, key)).rejects.toBeInstanceOf(ProverError);
  });
});

/** Returns the key with zeros in a range. */
function withZeros(from: number, to: number): Uint8Array {
  return Uint8Array.from(key).fill(0, from, to);
}

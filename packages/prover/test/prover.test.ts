import { readNumber } from '@service/circuit/zkey';
import { COORDINATE_ORDER, FIELD_ORDER } from '@service/protocol/eligibility';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProver, type Prover, ProverError } from '../src/index.ts';
import { key, module } from './support/artifacts.ts';
import { verifyWithSnarkjs } from './support/reference.ts';
import { inputs, littleEndian, witnessOf } from './support/witness.ts';

const [, input] = inputs[0]!;
const { wires, a, b } = await witnessOf(input);
const witness = { wires, a, b };
const verify = (proof: object) => verifyWithSnarkjs(proof, String(input.contextHash));
/** Where the compact key has alpha and delta in G1, and the size of such a point. */
const [ALPHA_1, DELTA_1, POINT] = [24, 152, 64];
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
    const before = structuredClone(witness);
    const proofs = [await prover.prove(witness), await prover.prove(witness)];
    for (const proof of proofs) expect(await verify(proof)).toBe(true);
    expect(proofs[0]).not.toEqual(proofs[1]);
    expect(witness).toEqual(before);
  });

  it('makes concurrent proofs one after another', async () => {
    const prover = await createProver(module, key);
    const proofs = await Promise.all([1, 2, 3].map(() => prover.prove(witness)));
    for (const proof of proofs) expect(await verify(proof)).toBe(true);
  });

  it('reports progress from 0 to 1', async () => {
    const prover = await createProver(module, key);
    const fractions: number[] = [];
    await prover.prove(witness, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect([fractions[0], fractions.at(-1), fractions.length]).toEqual([0, 1, 6]);
  });

  it('stops before the next step after an abort, and proves afterwards', async () => {
    const { prover, memory } = await withMemory();
    await prover.prove(witness);
    const idle = Buffer.from(memory.buffer.slice(0));
    for (let last = 0; last < 5; last += 1) {
      const controller = new AbortController();
      let reports = 0;
      const onProgress = () => {
        if (reports === last) controller.abort(new Error('the person left'));
        reports += 1;
      };
      const proving = prover.prove(witness, { signal: controller.signal, onProgress });
      await expect(proving).rejects.toEqual(failure('ABORTED'));
      expect(reports).toBe(last + 1);
      expect(idle.equals(new Uint8Array(memory.buffer))).toBe(true);
    }
    await expect(prover.prove(witness, { signal: AbortSignal.abort() })).rejects.toEqual(failure('ABORTED'));
    expect(await verify(await prover.prove(witness))).toBe(true);
  });

  it('rejects with the error of a listener, and proves afterwards', async () => {
    const prover = await createProver(module, key);
    const bug = new Error('a bug of the page');
    const onProgress = () => {
      throw bug;
    };
    await expect(prover.prove(witness, { onProgress })).rejects.toBe(bug);
    expect(await verify(await prover.prove(witness))).toBe(true);
  });

  it('leaves nothing of a proof in its memory, and needs no more memory for later ones', async () => {
    const { prover, memory } = await withMemory();
    await prover.prove(witness);
    await prover.prove(await witnessOf(inputs[1]![1]));
    const after = Buffer.from(memory.buffer.slice(0));
    await prover.prove(witness);
    // All but the key is overwritten: nothing depends on the witness.
    expect(after.equals(new Uint8Array(memory.buffer))).toBe(true);
    const bytes = Buffer.from(memory.buffer);
    const secrets = Buffer.concat([wires, a, b]);
    for (let at = 0; at < secrets.length; at += 32) {
      const value = secrets.subarray(at, at + 32);
      // Each bit that is 0 has a row with the value -1, which reveals nothing.
      const isMinusOne = value.equals(littleEndian(FIELD_ORDER - 1n));
      if (!isMinusOne && value.filter((byte) => byte !== 0).length > 8)
        expect(bytes.includes(value)).toBe(false);
    }
    // The highest part held the work.
    expect(bytes.subarray(bytes.length - 2_000_000).some((byte) => byte !== 0)).toBe(false);
    expect(bytes.length).toBeLessThan(8 * 2 ** 20);
  });

  const parts = Object.entries(witness);
  it.each(
    parts.flatMap(([name, part]) => [
      [name, 'too short', part.subarray(32)],
      [name, 'too long', Uint8Array.of(...part, ...new Uint8Array(32))],
      [name, 'not below the order', Uint8Array.of(...part.subarray(32), ...littleEndian(FIELD_ORDER))],
    ]),
  )('rejects a witness whose part %s is %s, and proves afterwards', async (name, _, part) => {
    const prover = await createProver(module, key);
    await expect(prover.prove({ ...witness, [name as string]: part })).rejects.toEqual(
      failure('PROVER_FAILED'),
    );
    expect(await verify(await prover.prove(witness))).toBe(true);
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
      const proving = prover.prove(witness);
      await expect(proving).rejects.toEqual(failure('PROVER_FAILED'));
      await expect(proving).rejects.toThrow('stopped');
      expect(new Uint8Array(memory!.buffer).some((byte) => byte !== 0)).toBe(false);
    },
  );

  it('rejects if a point of the proof is infinity', async () => {
    // A is alpha + r delta if all wires are zero.
    const opposite = key.slice(DELTA_1, DELTA_1 + POINT);
    const y = COORDINATE_ORDER - readNumber(opposite, POINT / 2);
    opposite.set(littleEndian(y), POINT / 2);
    const changed = Uint8Array.from(key);
    changed.set(opposite, ALPHA_1);
    const prover = await createProver(module, changed);
    const zeros = {
      wires: new Uint8Array(wires.length),
      a: new Uint8Array(a.length),
      b: new Uint8Array(b.length),
    };
    const randomness = { r: littleEndian(1n), s: littleEndian(1n) };
    const proving = prover.prove(zeros, { randomness });
    await expect(proving).rejects.toEqual(failure('PROVER_FAILED'));
    await expect(proving).rejects.toThrow('infinity');
  });
});

describe('createProver', () => {
  it.each([
    ['empty', new Uint8Array()],
    ['cut off', key.subarray(0, -1)],
    ['too long', Buffer.concat([key, Buffer.alloc(1)])],
    ['of the earlier version', key.with(7, 0x31)],
    ['of another version', key.with(7, 0x39)],
    ['with more rows than roots of unity', key.with(17, 9)],
    ['of a huge domain', key.with(20, 40)],
    ['with a coordinate that is not below the prime', key.with(24 + 31, 0xff)],
    ['with an infinite delta', withZeros(152, 216)],
    ['with an infinite delta of the second group', withZeros(344, 472)],
    ['with a wire of an unknown use', key.with(472, 4)],
    ['with a wire that has no point', key.with(472, key[472]! ^ 1)],
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

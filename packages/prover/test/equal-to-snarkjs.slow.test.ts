import { compactKey } from '@service/circuit/compact-key';
import { calculateWitness } from '@service/circuit/witness';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../test/support/sample.ts';
import { createProver } from '../src/index.ts';
import { key, module, zkey } from './support/artifacts.ts';
import { crowdedKey } from './support/crowded-key.ts';
import { proveWithSnarkjs, randomness, verifyWithSnarkjs } from './support/reference.ts';
import { inputs, rowsOf, withWires, witnessOf } from './support/witness.ts';

const prover = await createProver(module, key);
const usual = {
  r: 12345678901234567890n ** 5n % FIELD_ORDER,
  s: 98765432109876543210n ** 6n % FIELD_ORDER,
};
const first = await witnessOf(inputs[0]![1]);

/** Numbers that are the same in each run, by squaring. */
function sequence(seed: bigint): () => bigint {
  let state = seed;
  return () => {
    state = (state * state + 0x9e3779b97f4a7c15f39cc0605cedc834n) % FIELD_ORDER;
    return state;
  };
}

describe('with the same r and s, a proof is that of snarkjs', () => {
  it.each(sampled(inputs))('of a real witness: %s', async (_, input) => {
    const witness = await witnessOf(input);
    const proof = await prover.prove(witness, { randomness: randomness(usual) });
    expect(proof).toEqual(await proveWithSnarkjs(zkey, witness.file, usual));
    expect(await verifyWithSnarkjs(proof, String(input.contextHash))).toBe(true);
  });

  const extremes = [
    { r: 1n, s: 1n },
    { r: 1n, s: FIELD_ORDER - 1n },
    { r: FIELD_ORDER - 1n, s: 2n },
    { r: usual.r, s: usual.r },
  ];

  it.each(sampled(extremes))('with r = $r and s = $s', async (random) => {
    const proof = await prover.prove(first, { randomness: randomness(random) });
    expect(proof).toEqual(await proveWithSnarkjs(zkey, first.file, random));
    expect(await verifyWithSnarkjs(proof, String(inputs[0]![1].contextHash))).toBe(true);
  });

  const random = sequence(5n);
  const wires: [name: string, value: (wire: number) => bigint][] = [
    ['random wires', random],
    ['random wires of random length', (wire) => random() >> BigInt((wire * 7) % 254)],
    ['wires that are 0 or 1', () => random() & 1n],
    ['wires of ones only', (wire) => (1n << BigInt(wire % 254)) - 1n],
    ['wires of 0, 1 and -1', (wire) => [0n, 1n, FIELD_ORDER - 1n][wire % 3]!],
    ['wires that are all -1', () => FIELD_ORDER - 1n],
    ['wires that are all 1', () => 1n],
    ['wires that are all the same', () => usual.s],
  ];

  it.each(sampled(wires))('of %s, which need not satisfy the constraints', async (_, value) => {
    const witness = withWires(first, value);
    const proof = await prover.prove(witness, { randomness: randomness(usual) });
    expect(proof).toEqual(await proveWithSnarkjs(zkey, witness.file, usual));
  });

  it.each(sampled(wires))('of %s, with a key of equal, opposite and infinite points', async (_, value) => {
    const crowded = crowdedKey(zkey);
    const witness = withWires(first, value);
    const other = await createProver(module, compactKey(crowded));
    const proof = await other.prove(witness, { randomness: randomness(usual) });
    expect(proof).toEqual(await proveWithSnarkjs(crowded, witness.file, usual));
  });
});

it('a proof of a witness that does not satisfy the constraints does not verify', async () => {
  const { contextHash } = inputs[0]![1];
  for (const changed of [1, 2, 700, prover.wires - 1]) {
    const wires = Uint8Array.from(first.wires);
    wires[changed * 32]! ^= 1;
    for (const rows of [first, rowsOf(wires)]) {
      const proof = await prover.prove({ wires, a: rows.a, b: rows.b });
      expect(await verifyWithSnarkjs(proof, String(contextHash))).toBe(false);
    }
  }
});

it.each(['a', 'b'] as const)('a proof with a wrong row of %s does not verify', async (matrix) => {
  const { contextHash } = inputs[0]![1];
  for (const changed of [0, 3, 700, prover.rows - 2, prover.rows - 1]) {
    const rows = Uint8Array.from(first[matrix]);
    rows[changed * 32]! ^= 1;
    const proof = await prover.prove({ ...first, [matrix]: rows });
    expect(await verifyWithSnarkjs(proof, String(contextHash))).toBe(false);
  }
});

it.each(inputs)('the calculator of the circuit computes the rows of the zkey: %s', async (_, input) => {
  const { wires, a, b } = await witnessOf(input);
  const calculated = calculateWitness(input);
  for (const [name, bytes] of Object.entries({ wires, a, b })) {
    const other = calculated[name as keyof typeof calculated];
    expect(Buffer.from(bytes).equals(other), name).toBe(true);
  }
});

import { readArtifacts } from '@service/circuit';
import {
  calculateWitness,
  contextHashOf,
  prepareWitness,
  REPLACED_WASM_SHA256,
  WitnessError,
} from '@service/circuit/witness';
import type { CircuitInput } from '@service/protocol/eligibility';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endProver, prove, verify, witnessOf } from '../support/prover.ts';
import { asInput, scenario } from '../support/scenario.ts';

const signals = scenario();
const input = asInput(signals);
const { region: _, ...withoutRegion } = input;

/** Inputs that TypeScript rejects, or would if it could count. */
const MALFORMED: Readonly<Record<string, object>> = {
  'no region': withoutRegion,
  'an unknown input': { ...input, country: '1' },
  'an input of the prototype': { ...input, toString: '1' },
  'no value': { ...input, region: undefined },
  'a text that is no integer': { ...input, region: '4.5' },
  'a list for one integer': { ...input, region: ['40', '40'] },
  'an integer for a list': { ...input, clauseHashes: '1' },
  'seven clause hashes': { ...input, clauseHashes: input.clauseHashes.slice(1) },
  'nine clause hashes': { ...input, clauseHashes: [...input.clauseHashes, '1'] },
  'a clause hash that is no integer': { ...input, clauseHashes: input.clauseHashes.with(3, 'x') },
};

// circom's calculator also prints each rejection to the console.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterAll(endProver);

/** Returns the wires in a .wtns file of snarkjs, after its header of 76 bytes. */
async function wiresOfSnarkjs(from: object): Promise<Uint8Array> {
  return (await witnessOf(from as CircuitInput)).subarray(76);
}

describe('the input', () => {
  it.each(Object.entries(MALFORMED))('with %s is rejected, as by snarkjs', async (_, malformed) => {
    await expect(wiresOfSnarkjs(malformed)).rejects.toThrow();
    for (const compute of [calculateWitness, contextHashOf]) {
      const computing = () => compute(malformed as CircuitInput);
      expect(computing).toThrow(expect.objectContaining({ name: 'WitnessError', code: 'INPUT_MALFORMED' }));
    }
  });

  it.each([
    ['in hexadecimal', { region: '0x28' }],
    ['in another order', Object.fromEntries(Object.entries(input).reverse())],
    ['with an integer in a list', { region: ['40'] }],
  ])('%s is accepted, as by snarkjs', async (_, changes) => {
    const changed = { ...(Object.keys(changes).length > 1 ? {} : input), ...changes } as CircuitInput;
    expect(Buffer.from(calculateWitness(changed).wires).equals(await wiresOfSnarkjs(changed))).toBe(true);
  });

  it('does not appear in an error', () => {
    for (const name of ['region', 'status', 'birthDate', 'salt', 'contextHash'] as const) {
      const secret = '987654321987654321';
      const error = errorOf({ ...input, [name]: secret });
      expect(error.message).not.toContain(secret);
      expect(errorOf({ ...input, [name]: `${secret}x` }).message).not.toContain(secret);
    }
  });
});

describe('the witness', () => {
  it('is proved by snarkjs, and the proof verifies', async () => {
    prepareWitness();
    const file = await witnessOf(input);
    file.set(calculateWitness(input).wires, 76);
    const { proof, publicSignals } = await prove(file);
    expect(publicSignals).toEqual([input.contextHash]);
    expect(await verify(proof, signals.contextHash)).toBe(true);
  });

  it('is that of the committed eligibility.wasm', async () => {
    const { manifest } = await readArtifacts();
    expect(REPLACED_WASM_SHA256).toBe(manifest.files.wasm.sha256);
  });
});

function errorOf(rejected: CircuitInput): WitnessError {
  try {
    calculateWitness(rejected);
  } catch (error) {
    if (error instanceof WitnessError) return error;
    throw error;
  }
  throw new Error('The input was accepted.');
}

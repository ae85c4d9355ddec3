import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { POSEIDON_INPUTS } from '@service/circuit/poseidon-inputs';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCircom } from '../scripts/circom.ts';

const SOURCE = `pragma circom 2.1.6;
include "circomlib/circuits/poseidon.circom";
template Hashes() {
    signal input two[2];
    signal input three[3];
    signal input eleven[11];
    signal output ofTwo <== Poseidon(2)(two);
    signal output ofThree <== Poseidon(3)(three);
    signal output ofEleven <== Poseidon(11)(eleven);
}
component main = Hashes();
`;
const ones = (length: number) => Array.from({ length }, () => 1n);
const ONES = { two: ones(2), three: ones(3), eleven: ones(11) };
/** The signals of each number of inputs, and the same hashes of poseidon-lite, in the order of the outputs. */
const HASHES = [
  { name: 'two', arity: 2, hash: poseidon2 },
  { name: 'three', arity: 3, hash: poseidon3 },
  { name: 'eleven', arity: 11, hash: poseidon11 },
];

/** The calculator that circom writes next to the wasm file. */
interface WitnessCalculator {
  calculateWitness(input: Record<string, readonly bigint[]>, checked: boolean): Promise<bigint[]>;
}

const require = createRequire(import.meta.url);
let directory: string;
let calculator: WitnessCalculator;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'poseidon-'));
  // circom2 cannot read files above its working directory.
  const circomlib = path.dirname(require.resolve('circomlib/package.json'));
  await cp(path.join(circomlib, 'circuits'), path.join(directory, 'circomlib/circuits'), { recursive: true });
  await writeFile(path.join(directory, 'hashes.circom'), SOURCE);
  await runCircom(directory, ['hashes.circom', '--wasm']);
  const build = require(path.join(directory, 'hashes_js/witness_calculator.js'));
  calculator = await build(await readFile(path.join(directory, 'hashes_js/hashes.wasm')));
});
afterAll(() => rm(directory, { recursive: true }));

it('Poseidon of circomlib equals Poseidon of poseidon-lite', async () => {
  for (const inputs of POSEIDON_INPUTS) {
    const place = HASHES.findIndex(({ arity }) => arity === inputs.length);
    const { name, hash } = HASHES[place]!;
    const [, ...results] = await calculator.calculateWitness({ ...ONES, [name]: inputs }, true);
    expect(results[place], String(inputs)).toBe(hash([...inputs]));
  }
});

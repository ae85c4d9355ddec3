import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { POSEIDON_INPUTS } from '@service/circuit/poseidon-inputs';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { describe, expect, it } from 'vitest';
import { unpackColumn } from '../../src/witness/poseidon/matrix.ts';
import { parametersOf } from '../../src/witness/poseidon/parameters.ts';
import { trace } from '../../src/witness/poseidon/trace.ts';

const require = createRequire(import.meta.url);
const circomlib = await readFile(require.resolve('circomlib/circuits/poseidon_constants.circom'), 'utf8');

const HASHES: Readonly<Record<number, (inputs: bigint[]) => bigint>> = {
  2: poseidon2,
  3: poseidon3,
  11: poseidon11,
};

/** Returns the constants that a function of circomlib lists for a width. */
function listed(name: string, width: number): bigint[] {
  const [, body = ''] = circomlib.split(`function POSEIDON_${name}(t)`);
  const [, list = ''] = body.split(new RegExp(`if \\(t==${width}\\)`));
  const [constants = ''] = list.split(';');
  return [...constants.matchAll(/0x[0-9a-f]+/g)].map(([constant]) => BigInt(constant));
}

describe.each([3, 4, 12] as const)('the parameters of width %i', (width) => {
  const { first, afterFull, afterPartial, mix, mixRow, mixBeforePartial, sparse } = parametersOf(width);
  const elements = ({ columns, rows }: typeof mix) => columns.flatMap((column) => unpackColumn(column, rows));

  it.each([
    ['round constants', 'C', [first, ...afterFull.slice(0, 4), afterPartial, ...afterFull.slice(4)].flat()],
    ['matrix', 'M', elements(mix)],
    ['matrix before the partial rounds', 'P', elements(mixBeforePartial)],
    [
      'sparse matrices',
      'S',
      sparse.flatMap(({ row, column }) => [...row, ...unpackColumn(column, width - 1)]),
    ],
  ])('have the %s of circomlib', (_, name, computed) => {
    expect(computed.length).toBeGreaterThan(0);
    expect(computed).toEqual(listed(name, width));
  });

  it('have the first row of the matrix', () => {
    expect(mixRow).toEqual(mix.columns.map((column) => unpackColumn(column, 1)[0]));
  });
});

it('the result of trace is that of poseidon-lite', () => {
  for (const inputs of POSEIDON_INPUTS) {
    expect(trace(inputs).hash, String(inputs)).toBe(HASHES[inputs.length]?.([...inputs]));
  }
});

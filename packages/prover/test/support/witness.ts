import { readNumber, readZkey, type Term } from '@service/circuit/zkey';
import {
  type CircuitInput,
  circuitInput,
  dateCode,
  FIELD_ORDER,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import { wtns } from 'snarkjs';
import type { Witness as ProverWitness } from '../../src/index.ts';
import { witnessCalculator, zkey } from './artifacts.ts';

/** Bytes of a scalar. */
const SIZE = 32;

const pass = {
  rule: Uint8Array.from({ length: 32 }, (_, index) => index),
  wallet: Uint8Array.from({ length: 32 }, (_, index) => 255 - index),
  expiresAt: 1_711_929_600n,
  asOf: dateCode({ year: 2024, month: 2, day: 29 }),
};
const ALL_REGIONS = 2n ** 253n - 1n;
const ALL_STATUSES = 2 ** 32 - 1;

/** Inputs of the circuit: usual ones, and ones at the edges of their ranges. */
export const inputs: readonly (readonly [name: string, input: CircuitInput])[] = await Promise.all(
  (
    [
      ['one clause', { region: 15, status: 31, salt: 1n, person: 0n }, [[1n << 15n, 2 ** 31, 20]]],
      [
        'all bits of the masks',
        { region: 252, status: 0, salt: FIELD_ORDER - 1n, person: FIELD_ORDER - 1n },
        [[ALL_REGIONS, ALL_STATUSES, 0]],
      ],
      [
        'the last of eight clauses',
        { region: 0, status: 7, salt: 2n ** 200n + 3n, person: 2n ** 201n },
        Array.from({ length: 8 }, (_, index) => [index === 7 ? 1n : 2n, 2 ** 7, index] as const),
      ],
    ] as const
  ).map(async ([name, person, clauses]) => {
    const attributes: WitnessAttributes = {
      ...person,
      birthDate: dateCode({ year: 2000, month: 2, day: 29 }),
    };
    const masks = clauses.map(([regionMask, statusMask, minAge]) => ({ regionMask, statusMask, minAge }));
    return [name, await circuitInput({ ...pass, clauses: masks, attributes })] as const;
  }),
);

/** A witness, also as snarkjs's file. */
export interface Witness extends ProverWitness {
  readonly file: Uint8Array;
}

/** Computes the witness of an input with circom's calculator. */
export async function witnessOf(input: CircuitInput): Promise<Witness> {
  const file = { type: 'mem' as const, data: new Uint8Array() };
  await wtns.calculate({ ...input }, witnessCalculator, file, { memorySize: 1 });
  const wires = wiresOf(file.data);
  return { file: file.data, wires, ...rowsOf(wires) };
}

/** Returns a witness with other values of the wires, which need not satisfy the constraints. */
export function withWires({ file }: Witness, value: (wire: number) => bigint): Witness {
  const changed = Uint8Array.from(file);
  const wires = wiresOf(changed);
  for (let wire = 0; wire < wires.length / SIZE; wire += 1) wires.set(littleEndian(value(wire)), wire * SIZE);
  return { file: changed, wires, ...rowsOf(wires) };
}

const { aTerms, bTerms } = readZkey(zkey);
const rows = 1 + Math.max(...[...aTerms, ...bTerms].map(({ row }) => row));
/** 1 / 2^512, because coefficients in a zkey are times 2^512. */
const SCALE = power(2n, FIELD_ORDER - 1n - 512n);

/** Computes the rows from the coefficients in the zkey. */
export function rowsOf(wires: Uint8Array): Pick<ProverWitness, 'a' | 'b'> {
  const values = Array.from({ length: wires.length / SIZE }, (_, wire) => readNumber(wires, wire * SIZE));
  const sums = (terms: readonly Term[]) => {
    const totals = new Array<bigint>(rows).fill(0n);
    for (const { row, wire, coefficient } of terms) totals[row]! += readNumber(coefficient) * values[wire]!;
    return new Uint8Array(totals.flatMap((total) => [...littleEndian((total * SCALE) % FIELD_ORDER)]));
  };
  return { a: sums(aTerms), b: sums(bTerms) };
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power((base * base) % FIELD_ORDER, exponent >> 1n);
  return exponent & 1n ? (half * base) % FIELD_ORDER : half;
}

/** Returns a number in 32 bytes. */
export function littleEndian(number: bigint): Uint8Array {
  return Uint8Array.from({ length: SIZE }, (_, index) => Number((number >> BigInt(8 * index)) & 0xffn));
}

/** The wires are the last words of the file, and byte 60 has their number. */
function wiresOf(file: Uint8Array): Uint8Array {
  const count = new DataView(file.buffer, file.byteOffset).getUint32(60, true);
  return file.subarray(file.length - count * SIZE);
}

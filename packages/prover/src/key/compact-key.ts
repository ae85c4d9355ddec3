import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { COORDINATE_ORDER } from '@service/protocol/eligibility/proof/points';
import { G1_BYTES, G2_BYTES, NUMBER_BYTES, readNumber, readZkey, type Term } from './zkey.ts';

/** The first eight bytes of a compact key: its format and version. */
const MAGIC = 'bn254k01';
const MOST_16_BIT = 0xffff;

/**
 * Returns the compact key of a proving key of snarkjs. It has only what `createProver` needs, and is a function of the
 * zkey alone: two calls return the same bytes. The package's README describes the format.
 *
 * @throws Error if the zkey is not a Groth16 key on BN254, or has more than 65,536 wires, coefficients or terms of a row
 */
export function compactKey(zkey: Uint8Array): Uint8Array {
  const key = readZkey(zkey);
  const isUsed = (point: Uint8Array) => point.some((byte) => byte !== 0);
  const wiresOf = (points: readonly Uint8Array[]) =>
    points.flatMap((point, wire) => (isUsed(point) ? [wire] : []));
  const aWires = wiresOf(key.a);
  const bWires = wiresOf(key.b1);
  if (String(bWires) !== String(wiresOf(key.b2))) {
    throw new Error('The points of B in G1 and in G2 are not of the same wires. Make the proving key again.');
  }
  const values = distinctCoefficients([...key.aTerms, ...key.bTerms]);
  const counts = [
    key.wires,
    key.publicWires,
    Math.log2(key.domainSize),
    aWires.length,
    bWires.length,
    values.size,
    key.aTerms.length,
    key.bTerms.length,
  ];
  return concatenate([
    new TextEncoder().encode(MAGIC),
    littleEndian(counts, 4),
    ...[key.alpha1, key.beta1, key.delta1, key.beta2, key.delta2].map(point),
    ...aWires.map((wire) => point(key.a[wire]!)),
    ...bWires.map((wire) => point(key.b1[wire]!)),
    ...bWires.map((wire) => point(key.b2[wire]!)),
    ...[...key.c, ...key.h].map(point),
    littleEndian(aWires, 2),
    littleEndian(bWires, 2),
    ...[...values.values()].map(({ bytes }) => bytes),
    ...rows(key.aTerms, key.domainSize, values),
    ...rows(key.bTerms, key.domainSize, values),
  ]);
}

/** The distinct coefficients in the order in which they first occur, by their bytes in the zkey. */
type Coefficients = Map<string, { readonly place: number; readonly bytes: Uint8Array }>;

function distinctCoefficients(terms: readonly Term[]): Coefficients {
  const distinct: Coefficients = new Map();
  for (const { coefficient } of terms) {
    const id = String(coefficient);
    if (distinct.has(id)) continue;
    // The zkey has 2^512 times the coefficient, and the compact key 2^522 times it.
    const bytes = shifted(coefficient, 10n, FIELD_ORDER);
    distinct.set(id, { place: distinct.size, bytes });
  }
  return distinct;
}

/** Returns the number of terms of each row, then all wires, then the places of all coefficients. */
function rows(terms: readonly Term[], count: number, values: Coefficients): Uint8Array[] {
  const sorted = terms.toSorted((a, b) => a.row - b.row || a.wire - b.wire);
  const lengths = new Array<number>(count).fill(0);
  for (const { row } of terms) {
    if (row >= count) throw new Error(`The term of row ${row} is outside the matrix. Check the zkey.`);
    lengths[row]! += 1;
  }
  return [
    littleEndian(lengths, 2),
    littleEndian(
      sorted.map(({ wire }) => wire),
      2,
    ),
    littleEndian(
      sorted.map(({ coefficient }) => values.get(String(coefficient))!.place),
      2,
    ),
  ];
}

/** Converts a point of G1 or G2 from Montgomery's form with 2^256, as in the zkey, to that with 2^261. */
function point(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== G1_BYTES && bytes.length !== G2_BYTES)
    throw new RangeError(`A point has ${bytes.length} bytes. Check the zkey.`);
  return concatenate(
    Array.from({ length: bytes.length / NUMBER_BYTES }, (_, index) =>
      shifted(bytes.subarray(index * NUMBER_BYTES, (index + 1) * NUMBER_BYTES), 5n, COORDINATE_ORDER),
    ),
  );
}

/** Returns a number times a power of two modulo an order. */
function shifted(bytes: Uint8Array, bits: bigint, order: bigint): Uint8Array {
  let number = (readNumber(bytes) << bits) % order;
  const words = new BigUint64Array(NUMBER_BYTES / 8).map(() => {
    const word = BigInt.asUintN(64, number);
    number >>= 64n;
    return word;
  });
  const result = new Uint8Array(NUMBER_BYTES);
  const view = new DataView(result.buffer);
  for (const [index, word] of words.entries()) view.setBigUint64(index * 8, word, true);
  return result;
}

function littleEndian(numbers: readonly number[], size: 2 | 4): Uint8Array {
  const bytes = new Uint8Array(numbers.length * size);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of numbers.entries()) {
    if (size === 4) view.setUint32(index * size, number, true);
    else if (number <= MOST_16_BIT) view.setUint16(index * size, number, true);
    else throw new Error(`The circuit is too large: ${number} is above ${MOST_16_BIT}. Use a smaller one.`);
  }
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

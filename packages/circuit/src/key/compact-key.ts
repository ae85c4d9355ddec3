import { COORDINATE_ORDER } from '@service/protocol/eligibility/proof/points';
import { G1_BYTES, G2_BYTES, NUMBER_BYTES, readNumber, readZkey } from './zkey.ts';

/** The first eight bytes of a compact key: its format and version. */
const MAGIC = 'bn254k02';
/** The bits of a wire's byte: whether the wire has a point of A, and points of B. */
const IN_A = 1;
const IN_B = 2;

/**
 * Returns the compact key of a proving key of snarkjs. It has only what `createProver` needs, and is a function of the
 * zkey alone: two calls return the same bytes. The package's README describes the format.
 *
 * @throws Error if the zkey is not a Groth16 key on BN254
 */
export function compactKey(zkey: Uint8Array): Uint8Array {
  const key = readZkey(zkey);
  const uses = Uint8Array.from(key.a, (a, wire) => {
    const isInB = isUsed(key.b1[wire]!);
    if (isInB !== isUsed(key.b2[wire]!)) {
      throw new Error(
        'The points of B in G1 and in G2 are not of the same wires. Make the proving key again.',
      );
    }
    return (isUsed(a) ? IN_A : 0) | (isInB ? IN_B : 0);
  });
  const rows = 1 + Math.max(...[...key.aTerms, ...key.bTerms].map(({ row }) => row));
  if (rows > key.domainSize) throw new Error(`The row ${rows - 1} is outside the matrices. Check the zkey.`);
  const points = [key.alpha1, key.beta1, key.delta1, key.beta2, key.delta2];
  return concatenate([
    new TextEncoder().encode(MAGIC),
    littleEndian([key.wires, key.publicWires, rows, Math.log2(key.domainSize)]),
    ...points.map(point),
    uses,
    ...[key.a, key.b1, key.b2].flatMap((all) => all.filter(isUsed)).map(point),
    ...[...key.c, ...key.h].map(point),
  ]);
}

/** Returns whether a point is not infinity. */
function isUsed(point: Uint8Array): boolean {
  return point.some((byte) => byte !== 0);
}

/** Converts a point of G1 or G2 from Montgomery's form with 2^256, as in the zkey, to that with 2^261. */
function point(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== G1_BYTES && bytes.length !== G2_BYTES)
    throw new RangeError(`A point has ${bytes.length} bytes. Check the zkey.`);
  return concatenate(
    Array.from({ length: bytes.length / NUMBER_BYTES }, (_, index) =>
      coordinate(bytes.subarray(index * NUMBER_BYTES, (index + 1) * NUMBER_BYTES)),
    ),
  );
}

/** Returns a coordinate times 2^5, which converts Montgomery's form with 2^256 to that with 2^261. */
function coordinate(bytes: Uint8Array): Uint8Array {
  let number = (readNumber(bytes) << 5n) % COORDINATE_ORDER;
  const result = new Uint8Array(NUMBER_BYTES);
  const view = new DataView(result.buffer);
  for (let at = 0; at < NUMBER_BYTES; at += 8, number >>= 64n) view.setBigUint64(at, number, true);
  return result;
}

/** Returns the bytes of numbers of 32 bits. */
function littleEndian(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of numbers.entries()) view.setUint32(index * 4, number, true);
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

import { WitnessError, type WitnessErrorCode } from './errors.ts';

/** A reason that needs no message of its own. */
type Unmet = Exclude<WitnessErrorCode, 'INPUT_MALFORMED'>;

/**
 * Returns the wires of the bits of a number, lowest first. The highest bit has no wire: it follows from the others.
 *
 * @throws WitnessError `unmet` if the number has more bits
 */
export function bitWires(value: bigint, count: number, unmet: Unmet): bigint[] {
  if (value >> BigInt(count) !== 0n) throw new WitnessError(unmet);
  return Array.from(value.toString(2).padStart(count, '0'), BigInt).reverse().slice(0, -1);
}

/** The sizes of a use of MaskMember, and the reasons for which it rejects. */
export interface MaskUse {
  readonly maskBits: number;
  readonly indexBits: number;
  /** The bits of the index that select a bit inside a chunk. The others select the chunk. */
  readonly lowBits: number;
  readonly outOfRange: Unmet;
  readonly notMember: Unmet;
}

/**
 * Returns the wires of circuits/mask-member.circom. Flags and products that do not belong to the index are 0.
 *
 * @param index below 2^indexBits
 * @throws WitnessError `outOfRange` if the mask has too many bits; `notMember` if its bit `index` is 0
 */
export function maskMemberWires(mask: bigint, index: number, use: MaskUse): bigint[] {
  const { maskBits, indexBits, lowBits, outOfRange, notMember } = use;
  const bits = bitWires(mask, maskBits, outOfRange);
  if (((mask >> BigInt(index)) & 1n) === 0n) throw new WitnessError(notMember);
  const chunkSize = 1 << lowBits;
  const chunks = 1 << (indexBits - lowBits);
  const [chunkIndex, bitIndex] = [index >> lowBits, index & (chunkSize - 1)];
  const chunk = (mask >> BigInt(chunkIndex * chunkSize)) & ((1n << BigInt(chunkSize)) - 1n);
  return [
    ...bits,
    ...only(chunkIndex, chunks, chunk),
    ...bitWires(chunk, chunkSize, outOfRange),
    // The last product and the last two flags of each index have no wire: they follow from the others.
    ...only(bitIndex, chunkSize - 1),
    ...only(bitIndex, chunkSize - 2),
    ...only(chunkIndex, chunks - 2),
  ];
}

/** Returns zeros, and `value` at one place if it is among them. */
function only(place: number, count: number, value = 1n): bigint[] {
  return Array.from({ length: count }, (_, index) => (index === place ? value : 0n));
}

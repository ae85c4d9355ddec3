import { WitnessError, type WitnessErrorCode } from './errors.ts';
import { only } from './field.ts';
import { bitRows, oneHotRows, type Row, row } from './rows.ts';

/** A reason that needs no message of its own. */
type Unmet = Exclude<WitnessErrorCode, 'INPUT_MALFORMED'>;

/** The wires of a part of the circuit, and the rows of its constraints. */
export interface Part {
  readonly wires: readonly bigint[];
  readonly rows: readonly Row[];
}

/**
 * Returns the part that splits a number into bits. The highest bit has no wire: it follows from the others.
 *
 * @throws WitnessError `unmet` if the number has more bits
 */
export function bitPart(value: bigint, count: number, unmet: Unmet): Part {
  const bits = bitsOf(value, count, unmet);
  return { wires: bits.slice(0, -1), rows: bitRows(bits) };
}

/** Returns the bits of a number, lowest first. Throws WitnessError `unmet` if it has more. */
function bitsOf(value: bigint, count: number, unmet: Unmet): bigint[] {
  if (value >> BigInt(count) !== 0n) throw new WitnessError(unmet);
  return Array.from(value.toString(2).padStart(count, '0'), BigInt).reverse();
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
 * Returns the part of circuits/mask-member.circom. Flags and products that do not belong to the index are 0.
 *
 * @param index below 2^indexBits
 * @throws WitnessError `outOfRange` if the mask has too many bits; `notMember` if its bit `index` is 0
 */
export function maskMemberPart(mask: bigint, index: number, use: MaskUse): Part {
  const { maskBits, indexBits, lowBits, outOfRange, notMember } = use;
  const highBits = indexBits - lowBits;
  const bits = bitPart(mask, maskBits, outOfRange);
  if (((mask >> BigInt(index)) & 1n) === 0n) throw new WitnessError(notMember);
  const chunkSize = 1 << lowBits;
  const [chunkIndex, bitIndex] = [index >> lowBits, index & (chunkSize - 1)];
  const chunkAt = (place: number) => BigInt.asUintN(chunkSize, mask >> BigInt(place * chunkSize));
  const [chunkFlags, bitFlags] = [only(chunkIndex, 1 << highBits), only(bitIndex, chunkSize)];
  const chunk = chunkAt(chunkIndex);
  const chunkBits = bitsOf(chunk, chunkSize, outOfRange);
  return {
    wires: [
      ...bits.wires,
      ...only(chunkIndex, 1 << highBits, chunk),
      ...chunkBits.slice(0, -1),
      // The last product and the last two flags of each index have no wire: they follow from the others.
      ...bitFlags.slice(0, -1),
      ...bitFlags.slice(0, -2),
      ...chunkFlags.slice(0, -2),
    ],
    rows: [
      ...chunkFlags.map((flag, place) => row(chunkAt(place), flag)),
      ...bitFlags.map((flag, place) => row(flag, chunkBits[place]!)),
      ...bits.rows,
      ...bitRows(chunkBits),
      ...oneHotRows(bitIndex, lowBits),
      ...oneHotRows(chunkIndex, highBits),
    ],
  };
}

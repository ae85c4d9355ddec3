/** Reads the parts of a snarkjs Groth16 proving key that a prover needs. */
import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { COORDINATE_ORDER } from '@service/protocol/eligibility/proof/points';

/** Bytes of a number, of a point of G1 and of a point of G2. */
export const NUMBER_BYTES = 32;
export const G1_BYTES = 2 * NUMBER_BYTES;
export const G2_BYTES = 4 * NUMBER_BYTES;

/** A term of a row: coefficient times wire. */
export interface Term {
  readonly row: number;
  readonly wire: number;
  /** The coefficient times 2^512, 32 bytes, little-endian. */
  readonly coefficient: Uint8Array;
}

/** The used parts of a proving key. Points are in Montgomery's form with 2^256, little-endian, as snarkjs stores them. */
export interface Zkey {
  readonly wires: number;
  readonly publicWires: number;
  /** Number of roots of unity: a power of two. */
  readonly domainSize: number;
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** The terms of the matrices A and B, in the order of the file. */
  readonly aTerms: readonly Term[];
  readonly bTerms: readonly Term[];
  /** One point for each wire. */
  readonly a: readonly Uint8Array[];
  readonly b1: readonly Uint8Array[];
  readonly b2: readonly Uint8Array[];
  /** One point for each private wire. */
  readonly c: readonly Uint8Array[];
  /** One point for each root of unity. */
  readonly h: readonly Uint8Array[];
}

const SECTION = { protocol: 1, header: 2, terms: 4, a: 5, b1: 6, b2: 7, c: 8, h: 9 } as const;
const GROTH16 = 1;
const TERM_BYTES = 12 + NUMBER_BYTES;

/**
 * Reads a proving key of snarkjs.
 *
 * @throws Error if the bytes are not a Groth16 key on BN254
 */
export function readZkey(bytes: Uint8Array): Zkey {
  const sections = readSections(bytes);
  if (view(sectionOf(sections, SECTION.protocol, 4)).getUint32(0, true) !== GROTH16) {
    throw malformed('its protocol is not Groth16');
  }
  const header = sectionOf(sections, SECTION.header, 84 + 3 * G1_BYTES + 3 * G2_BYTES);
  const numbers = view(header);
  const orders = [numbers.getUint32(0, true), numbers.getUint32(36, true)];
  const isBn254 =
    orders.every((size) => size === NUMBER_BYTES) &&
    readNumber(header, 4) === COORDINATE_ORDER &&
    readNumber(header, 40) === FIELD_ORDER;
  if (!isBn254) throw malformed('its curve is not BN254');
  const [wires, publicWires, domainSize] = [72, 76, 80].map((at) => numbers.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const points = (id: number, count: number, size: number) =>
    split(sectionOf(sections, id, count * size), size);
  const part = (start: number, size: number) => header.subarray(start, start + size);
  const terms = readTerms(sections.get(SECTION.terms) ?? new Uint8Array());
  return {
    wires,
    publicWires,
    domainSize,
    alpha1: part(84, G1_BYTES),
    beta1: part(148, G1_BYTES),
    beta2: part(212, G2_BYTES),
    delta1: part(468, G1_BYTES),
    delta2: part(532, G2_BYTES),
    aTerms: terms.filter(({ matrix }) => matrix === 0),
    bTerms: terms.filter(({ matrix }) => matrix === 1),
    a: points(SECTION.a, wires, G1_BYTES),
    b1: points(SECTION.b1, wires, G1_BYTES),
    b2: points(SECTION.b2, wires, G2_BYTES),
    c: points(SECTION.c, wires - publicWires - 1, G1_BYTES),
    h: points(SECTION.h, domainSize, G1_BYTES),
  };
}

/** Reads a number, little-endian. */
export function readNumber(bytes: Uint8Array, start = 0): bigint {
  const words = view(bytes);
  let number = 0n;
  for (let at = start + 24; at >= start; at -= 8) number = (number << 64n) | words.getBigUint64(at, true);
  return number;
}

/** Returns the sections of a file of snarkjs by number. Throws Error if the bytes are not such a file. */
export function readSections(bytes: Uint8Array): Map<number, Uint8Array> {
  const sections = new Map<number, Uint8Array>();
  const words = view(bytes);
  if (bytes.length < 12 || new TextDecoder().decode(bytes.subarray(0, 4)) !== 'zkey') {
    throw malformed('it is not a zkey file');
  }
  let at = 12;
  for (let count = words.getUint32(8, true); count > 0; count -= 1) {
    if (at + 12 > bytes.length) throw malformed('it ends within a section');
    const size = Number(words.getBigUint64(at + 4, true));
    if (at + 12 + size > bytes.length) throw malformed('it ends within a section');
    sections.set(words.getUint32(at, true), bytes.subarray(at + 12, at + 12 + size));
    at += 12 + size;
  }
  return sections;
}

function sectionOf(sections: Map<number, Uint8Array>, id: number, size: number): Uint8Array {
  const section = sections.get(id);
  if (section?.length !== size) throw malformed(`section ${id} does not have ${size} bytes`);
  return section;
}

function readTerms(section: Uint8Array): (Term & { matrix: number })[] {
  const words = view(section);
  if (section.length < 4 || section.length !== 4 + words.getUint32(0, true) * TERM_BYTES) {
    throw malformed('its terms are not complete');
  }
  return Array.from({ length: words.getUint32(0, true) }, (_, index) => {
    const at = 4 + index * TERM_BYTES;
    return {
      matrix: words.getUint32(at, true),
      row: words.getUint32(at + 4, true),
      wire: words.getUint32(at + 8, true),
      coefficient: section.subarray(at + 12, at + TERM_BYTES),
    };
  });
}

function split(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: bytes.length / size }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** Returns a view of the bytes. */
export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the error for bytes that are not a proving key of snarkjs. */
export function malformed(what: string): Error {
  return new Error(`The proving key cannot be used: ${what}. Use the zkey file of snarkjs.`);
}

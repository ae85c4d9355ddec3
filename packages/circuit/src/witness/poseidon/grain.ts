import { FIELD_ORDER } from '@service/protocol/eligibility/field';

/** The bits of a field element: the order is below 2^254. */
const ELEMENT_BITS = 254;
/** The length of the shift register. */
const REGISTER_BITS = 80;
/** The number of bits that the register makes at once. More than 18 depend on each other, and 16 are two bytes. */
const WORD_BITS = 16;
/** The number of bits that the register drops first. */
const DROPPED_BITS = 160;

/** The source of the constants of one instance of Poseidon. */
export interface Grain {
  /** Returns the next 254 bits, reduced modulo the order of the field. */
  nextReduced(): bigint;
  /** Returns the next 254 bits that are below the order of the field. */
  nextElement(): bigint;
}

/**
 * Starts the Grain shift register, from which the paper of Poseidon (eprint 2019/458) takes all constants.
 *
 * @param width the elements of the state
 * @param fullRounds the rounds with an S-box for each element
 * @param partialRounds the rounds with one S-box
 */
export function startGrain(width: number, fullRounds: number, partialRounds: number): Grain {
  // A prime field (1), the S-box x^5 (0), then the sizes. The other 30 bits of the register are 1.
  const sizes = [bits(ELEMENT_BITS, 12), bits(width, 12), bits(fullRounds, 10), bits(partialRounds, 10)];
  const seed = [bits(1, 2), bits(0, 4), ...sizes].join('').padEnd(REGISTER_BITS, '1');
  // The register's bits, the oldest first.
  let [a, b, c, d, e] = [word(seed, 0), word(seed, 1), word(seed, 2), word(seed, 3), word(seed, 4)];
  for (let dropped = 0; dropped < DROPPED_BITS; dropped += WORD_BITS) clock();
  const integer = new DataView(new ArrayBuffer(32));
  /** Bits that were selected and not used yet. */
  let selected = 0;
  let count = 0;

  /** Makes the next 16 bits. Each is the sum of the bits 80, 67, 57, 42, 29 and 18 places before it. */
  function clock(): number {
    const far = a ^ ((a << 13) | (b >> 3)) ^ ((b << 7) | (c >> 9));
    const near = ((c << 6) | (d >> 10)) ^ ((d << 3) | (e >> 13)) ^ ((d << 14) | (e >> 2));
    a = b;
    b = c;
    c = d;
    d = e;
    e = (far ^ near) & 0xffff;
    return e;
  }

  /** Returns the next 254 selected bits. */
  function nextInteger(): bigint {
    // The first part is shorter, by the two bits that 32 bytes have more.
    for (let part = 0, needed = ELEMENT_BITS % WORD_BITS; part < 32; part += 2, needed = WORD_BITS) {
      while (count < needed) {
        const bytes = clock();
        const high = SELECTIONS[bytes >> 8]!;
        const low = SELECTIONS[bytes & 0xff]!;
        selected = (selected << (high >> 4)) | (high & 15);
        selected = (selected << (low >> 4)) | (low & 15);
        count += (high >> 4) + (low >> 4);
      }
      count -= needed;
      integer.setUint16(part, selected >> count);
      selected &= (1 << count) - 1;
    }
    const upper = (integer.getBigUint64(0) << 64n) | integer.getBigUint64(8);
    const lower = (integer.getBigUint64(16) << 64n) | integer.getBigUint64(24);
    return (upper << 128n) | lower;
  }

  return {
    nextReduced: () => nextInteger() % FIELD_ORDER,
    nextElement() {
      for (;;) {
        const value = nextInteger();
        if (value < FIELD_ORDER) return value;
      }
    },
  };
}

/**
 * The bits that each byte selects, plus 16 times their number. Bits come in pairs: if the first one is 1, the second one
 * is selected.
 */
const SELECTIONS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const pairs = [byte >> 6, byte >> 4, byte >> 2, byte].filter((pair) => pair & 2);
  return pairs.reduce((selected, pair) => (selected << 1) | (pair & 1), 0) | (pairs.length << 4);
});

function bits(value: number, count: number): string {
  return value.toString(2).padStart(count, '0');
}

function word(seed: string, index: number): number {
  return Number.parseInt(seed.slice(index * WORD_BITS, (index + 1) * WORD_BITS), 2);
}

/**
 * Mutants that accept exactly what the circuit accepts, each with the reason. The campaign also fails if a mutant of this
 * list is killed, because then the reason is wrong.
 */
export const EQUIVALENT_MUTANTS: readonly { readonly mutants: RegExp; readonly why: string }[] = [
  {
    mutants: /=> {2}signal (minAgeBits|birthDateBits|ageBits)\[\d+\]; signal \1Free/,
    why: 'Nothing reads these bits. The constraints of Num2Bits stay, and they limit the number.',
  },
  {
    mutants: /=> {2}signal minAgeBits\[8\]; signal minAgeBitsWide\[8 \+ 1\]/,
    why:
      'A limit of 256 to 511 years is 2^17 to 2^18 codes. No two date codes are that far apart, and it does not make ' +
      'up for the 2^20 of the wrong mode, so step 6 rejects it. Another opening of the same clause has a fraction as ' +
      'its limit, a number of far more than 9 bits.',
  },
  {
    mutants: /=> {2}signal birthDateBits\[17\]; signal birthDateBitsWide\[17 \+ 1\]/,
    why:
      'asOf is below 2^17, or 2^20 higher or lower in the wrong mode. So step 6 rejects every birth date from 2^17 to ' +
      '2^18.',
  },
  {
    mutants: /=> {2}signal ageBits\[18\]; signal ageBitsWide\[(18 - 1|18 \+ 1)\]/,
    why:
      'asOf is below 2^17, so a difference of 0 or more has 17 bits, and a negative one is within 2^18 below the ' +
      'order of the field. In the wrong mode, asOf is 2^20 higher or lower, so that a difference has at least 20 bits. ' +
      'Any width from 17 to 19 separates them.',
  },
  {
    mutants: /=> {2}MaskMember\((253, 8, [35]|32, 5, [13])\)/,
    why: 'The size of a chunk. Other steps read the same bit, with another number of constraints.',
  },
  {
    mutants: /=> {2}signal chunkBit\[chunkSize\]; signal chunkBitWide\[(chunkSize \+ 1|2 \* chunkSize)\]/,
    why: 'The chunk is a sum of chunkSize bits, and only one chunk is selected. All higher bits are 0.',
  },
];

/**
 * Mutants that no witness can tell from the circuit, each with the reason why. What is listed here and killed all the
 * same fails the campaign too: then the reason is wrong.
 */
export const EQUIVALENT_MUTANTS: readonly { readonly mutants: RegExp; readonly why: string }[] = [
  {
    mutants: /=> {2}signal (minAgeBits|birthDateBits|ageBits)\[\d+\]; signal \1Free/,
    why: 'Nothing reads these bits. The number is held by the constraints of Num2Bits, which stay.',
  },
  {
    mutants: /=> {2}signal minAgeBits\[8\]; signal minAgeBitsWide\[(8 \+ 1|2 \* 8)\]/,
    why:
      'A limit of 256 years or more is 2^17 codes or more, and no two date codes are that far apart: step 6 refuses ' +
      'it. Another opening of the same clause has a fraction for a limit, a number of far more than 16 bits.',
  },
  {
    mutants: /=> {2}signal birthDateBits\[17\]; signal birthDateBitsWide\[(17 \+ 1|2 \* 17)\]/,
    why:
      'asOf is below 2^17, so step 6 refuses every birth date of 2^17 or more. What it cannot refuse lies within 2^18 ' +
      'below the order of the field: far more than 34 bits.',
  },
  {
    mutants: /=> {2}signal ageBits\[18\]; signal ageBitsWide\[(18 - 1|18 \+ 1|2 \* 18)\]/,
    why:
      'asOf is below 2^17 and nothing is added to it: a difference that is not negative has 17 bits, a negative one ' +
      'lies within 2^18 below the order of the field. Any width from 17 to 252 separates them.',
  },
  {
    mutants: /=> {2}MaskMember\((253, 8, [35]|32, 5, [13])\)/,
    why: 'The size of a chunk: the same bit is reached by other steps, at another number of constraints.',
  },
  {
    mutants: /=> {2}signal chunkBit\[chunkSize\]; signal chunkBitWide\[(chunkSize \+ 1|2 \* chunkSize)\]/,
    why: 'The chunk is a sum of chunkSize bits, of which one chunk alone is selected: its further bits are 0.',
  },
];

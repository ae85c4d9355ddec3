/** Returns the MurmurHash3 of a text: 32 bits, signed, seed 0. */
export function murmur3(text: string): number;

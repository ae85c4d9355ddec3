// Bytes, numbers and base58.
import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Encodes an integer in `size` bytes, the most significant first. */
export function bigEndian(value, size) {
  if (value < 0n || value >= 1n << BigInt(size * 8))
    throw new RangeError(`${value} does not fit ${size} bytes`);
  return Buffer.from(value.toString(16).padStart(size * 2, '0'), 'hex');
}

/** Encodes an integer in `size` bytes, the least significant first. */
export const littleEndian = (value, size) => bigEndian(BigInt(value), size).reverse();

export const toInteger = (bytes) => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);

/** Returns a power of an integer, modulo another. */
export function powerMod(base, exponent, modulus) {
  let result = 1n;
  for (let square = base % modulus, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

export function encodeBase58(bytes) {
  let rest = toInteger(bytes);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Decodes an address or a hash in base58 to its 32 bytes. */
export function decodeBase58(text) {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) throw new RangeError(`${letter} is not a digit of base58`);
    value = value * 58n + BigInt(digit);
  }
  const bytes = bigEndian(value, 32);
  if (encodeBase58(bytes) !== text) throw new RangeError(`${text} is not the base58 of 32 bytes`);
  return bytes;
}

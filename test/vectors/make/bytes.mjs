// Bytes, numbers and base58.
import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** An integer in so many bytes, the most significant first. */
export function bigEndian(value, size) {
  if (value < 0n || value >= 1n << BigInt(size * 8))
    throw new RangeError(`${value} does not fit ${size} bytes`);
  return Buffer.from(value.toString(16).padStart(size * 2, '0'), 'hex');
}

/** An integer in so many bytes, the least significant first. */
export const littleEndian = (value, size) => bigEndian(BigInt(value), size).reverse();

export const toInteger = (bytes) => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);

export function encodeBase58(bytes) {
  let rest = toInteger(bytes);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** The 32 bytes of an address or hash in base58. */
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

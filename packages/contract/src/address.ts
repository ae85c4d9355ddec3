/** Base58 of addresses. It does not use kit's codecs: they would add more to a page than the rest of this package. */
import type { Address } from '@solana/kit';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 32;

/** Returns whether a text is the base58 of 32 bytes. */
export function isAddress(text: string): text is Address {
  return decode(text)?.length === ADDRESS_BYTES;
}

/** Returns the 32 bytes of an address. Throws RangeError if the text is not an address. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = decode(address);
  if (bytes?.length !== ADDRESS_BYTES) throw new RangeError('must be a base58 address of 32 bytes');
  return bytes;
}

function decode(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(ALPHABET.indexOf(character));
  const bytes: number[] = [];
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n));
  // Each leading 1 is a zero byte; the other digits are one number.
  const zeros = text.length - text.replace(/^1+/, '').length;
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
}

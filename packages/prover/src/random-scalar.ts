import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { SCALAR_BYTES } from './wasm-exports.ts';

/** Numbers with more bits would always be above the order. */
const HIGHEST_BYTE = 0x3f;

/**
 * Writes a random scalar, little-endian, from `crypto.getRandomValues`. Each number below the order has the same
 * probability, because numbers above it are drawn again. About three of four draws succeed.
 */
export function writeRandomScalar(bytes: Uint8Array<ArrayBuffer>): void {
  do {
    crypto.getRandomValues(bytes);
    bytes[SCALAR_BYTES - 1]! &= HIGHEST_BYTE;
  } while (!isBelowOrder(bytes));
}

const ORDER_BYTES = Uint8Array.from({ length: SCALAR_BYTES }, (_, index) =>
  Number((FIELD_ORDER >> BigInt(8 * index)) & 0xffn),
);

/** Compares from the highest byte on. A BigInt could not be overwritten afterwards. */
function isBelowOrder(bytes: Uint8Array): boolean {
  for (let index = SCALAR_BYTES - 1; index >= 0; index -= 1) {
    if (bytes[index] !== ORDER_BYTES[index]) return bytes[index]! < ORDER_BYTES[index]!;
  }
  return false;
}

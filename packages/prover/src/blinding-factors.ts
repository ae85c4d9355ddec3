/**
 * The blinding factors r and s of a proof. If somebody knows them, or if two proofs share them, proofs can reveal the
 * witness. So they are hedged: they come from fresh bytes and from the witness together. Bytes that somebody can predict
 * then still give secret factors, because nobody can predict the witness, and other factors for each other witness.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { freshBytes } from './fresh-bytes.ts';
import { ProverError } from './prover-error.ts';
import { SCALAR_BYTES } from './wasm-exports.ts';

/** The info of HKDF. */
const INFO = new TextEncoder().encode('service:v1:blinding-factors');

/** Each factor is reduced from 512 bits, so all numbers below the order have the same probability, up to 2^-256. */
const WIDE_BYTES = 64;

/**
 * Derives r, then s, each 32 bytes, little-endian: HKDF-SHA-512 with fresh bytes as its salt, and all wires as its key. The
 * wires contain the person's attributes and their salt, the context and its hash. The caller overwrites the result.
 *
 * @throws ProverError UNSUPPORTED_PLATFORM if `crypto.getRandomValues` does not work; PROVER_FAILED if a factor is zero
 */
export function blindingFactors(wires: Uint8Array): Uint8Array {
  const fresh = freshBytes();
  const wide = hkdf(sha512, wires, fresh, INFO, 2 * WIDE_BYTES);
  const factors = new Uint8Array(2 * SCALAR_BYTES);
  try {
    reduce(wide.subarray(0, WIDE_BYTES), factors.subarray(0, SCALAR_BYTES));
    reduce(wide.subarray(WIDE_BYTES), factors.subarray(SCALAR_BYTES));
    return nonZero(factors);
  } finally {
    fresh.fill(0);
    wide.fill(0);
  }
}

/** Returns r, then s. Throws ProverError PROVER_FAILED if one is zero, because it would hide nothing. */
export function nonZero(factors: Uint8Array): Uint8Array {
  for (const start of [0, SCALAR_BYTES]) {
    if (factors.subarray(start, start + SCALAR_BYTES).some((byte) => byte !== 0)) continue;
    throw new ProverError('PROVER_FAILED', 'A blinding factor is zero. Make the proof again.');
  }
  return factors;
}

const ORDER_BYTES = Uint8Array.from({ length: SCALAR_BYTES }, (_, index) =>
  Number((FIELD_ORDER >> BigInt(8 * index)) & 0xffn),
);

/** Writes a number, big-endian, modulo the order, little-endian. A BigInt could not be overwritten afterwards. */
function reduce(wide: Uint8Array, rest: Uint8Array): void {
  for (const byte of wide) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      double(rest, (byte >> bit) & 1);
      if (!isBelowOrder(rest)) subtractOrder(rest);
    }
  }
}

/** The order has 254 bits, so twice a number below it fits. */
function double(number: Uint8Array, lowest: number): void {
  let carry = lowest;
  for (let index = 0; index < SCALAR_BYTES; index += 1) {
    const sum = 2 * number[index]! + carry;
    number[index] = sum;
    carry = sum >> 8;
  }
}

function subtractOrder(number: Uint8Array): void {
  let borrow = 0;
  for (let index = 0; index < SCALAR_BYTES; index += 1) {
    const difference = number[index]! - ORDER_BYTES[index]! - borrow;
    number[index] = difference;
    borrow = difference < 0 ? 1 : 0;
  }
}

/** Compares from the highest byte on. */
function isBelowOrder(bytes: Uint8Array): boolean {
  for (let index = SCALAR_BYTES - 1; index >= 0; index -= 1) {
    if (bytes[index] !== ORDER_BYTES[index]) return bytes[index]! < ORDER_BYTES[index]!;
  }
  return false;
}

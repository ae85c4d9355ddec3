import { EligibilityError } from './errors.ts';

/** The order r of bn128's scalar field: every signal of the circuit and every Poseidon hash is below it. */
export const FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Throws unless the value is an element of the scalar field. The message contains `name`. */
export function checkFieldElement(value: bigint, name: string): void {
  if (typeof value !== 'bigint' || value < 0n || value >= FIELD_ORDER) {
    throw new EligibilityError(
      'FIELD_OUT_OF_RANGE',
      `${name} is not a field element: it must be a bigint from 0 to below the order of bn128's scalar field.`,
    );
  }
}

/**
 * Returns a field element as the chain stores it: 32 bytes, big-endian.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE
 */
export function fieldToBytes(value: bigint): Uint8Array {
  checkFieldElement(value, 'The value');
  return integerToBytes(value);
}

/**
 * Returns the field element in 32 big-endian bytes. Throws on a value at or above the order instead of reducing it, so
 * that an element has only one encoding.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE
 */
export function bytesToField(bytes: Uint8Array): bigint {
  if (bytes.length !== 32) {
    throw new EligibilityError('FIELD_OUT_OF_RANGE', `A field element is 32 bytes; this is ${bytes.length}.`);
  }
  const value = bytesToInteger(bytes);
  checkFieldElement(value, 'The value');
  return value;
}

/** Returns the 32 big-endian bytes of an integer. The caller has checked that it is below 2^256. */
export function integerToBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  let rest = value;
  for (let index = 31; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** Returns the integer in big-endian bytes of any length. */
export function bytesToInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

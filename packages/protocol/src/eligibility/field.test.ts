import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../test/support/with-code.ts';
import { bytesToField, FIELD_ORDER, fieldToBytes } from './field.ts';

const outOfRange = withCode('FIELD_OUT_OF_RANGE');

describe('field elements', () => {
  it('convert to 32 big-endian bytes and back', () => {
    expect(fieldToBytes(0x0102n)).toEqual(Uint8Array.from([...Array(30).fill(0), 1, 2]));
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n }), (value) => {
        expect(bytesToField(fieldToBytes(value))).toBe(value);
      }),
    );
  });

  it('are rejected, not reduced, if they are not below the order of the field', () => {
    expect(() => bytesToField(Buffer.from(FIELD_ORDER.toString(16), 'hex'))).toThrow(outOfRange);
    expect(() => bytesToField(new Uint8Array(32).fill(255))).toThrow(outOfRange);
    expect(() => fieldToBytes(FIELD_ORDER)).toThrow(outOfRange);
    expect(() => fieldToBytes(-1n)).toThrow(outOfRange);
    expect(() => fieldToBytes(1 as unknown as bigint)).toThrow(outOfRange);
  });

  it.each([0, 31, 33])('are rejected if they have %i bytes', (length) => {
    expect(() => bytesToField(new Uint8Array(length))).toThrow(outOfRange);
  });
});

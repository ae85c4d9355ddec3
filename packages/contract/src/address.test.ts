import { type Address, getAddressDecoder, isAddress as isAddressOfKit } from '@solana/kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressBytes, isAddress } from './address.ts';

const base58 = fc.string({
  unit: fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
  minLength: 30,
  maxLength: 46,
});
const zeros = fc.nat(32).map((count) => '1'.repeat(count));
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

it('decodes the base58 of any 32 bytes', () => {
  const leadingZeros = fc.tuple(fc.nat(32), bytes).map(([count, value]) => value.fill(0, 0, count));
  fc.assert(
    fc.property(fc.oneof(bytes, leadingZeros), (value) => {
      const address = getAddressDecoder().decode(value);
      expect(isAddress(address)).toBe(true);
      expect(addressBytes(address)).toEqual(value);
    }),
    { seed: 1, numRuns: 300 },
  );
});

it('agrees with kit on any text', () => {
  const near = fc.tuple(zeros, base58).map(([start, rest]) => `${start}${rest}`.slice(0, 44));
  fc.assert(
    fc.property(fc.oneof(base58, near, zeros, fc.string()), (text) => {
      expect(isAddress(text)).toBe(isAddressOfKit(text));
    }),
    { seed: 2, numRuns: 2_000 },
  );
});

it.each([
  ['32 zeros', '1'.repeat(32), true],
  ['31 zeros', '1'.repeat(31), false],
  ['33 zeros', '1'.repeat(33), false],
  ['the largest value', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG', true],
  ['one more than the largest value', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH', false],
  ['a character outside the base58 alphabet', '0'.repeat(32), false],
  ['a trailing newline', `${'1'.repeat(32)}\n`, false],
])('handles %s', (_name, text, expected) => {
  expect(isAddress(text)).toBe(expected);
  expect(isAddressOfKit(text)).toBe(expected);
  if (!expected) expect(() => addressBytes(text as Address)).toThrow(RangeError);
});
